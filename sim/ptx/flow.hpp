// Where control goes in a function, and which registers its instructions set and read.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// Whether the instruction does nothing but compute operand 0 from the others. False for carries
/// (`.cc`).
[[nodiscard]] bool only_computes(const instruction& i);

/// The registers that an operand names.
void list_registers(const operand& o, std::vector<std::string>& to);

/// Indices of the instructions that a lane may come to next; the number of instructions stands for
/// the function's end.
[[nodiscard]] std::vector<std::size_t> successors(const function& f, std::size_t at);

/// Whether a lane at the instruction may still read what the register holds now.
[[nodiscard]] bool is_live(const function& f, const std::string& name, std::size_t at);

/// Registers that may hold, or are computed from, what a shuffle has given. The module's functions
/// may have been called with such values.
[[nodiscard]] std::set<std::string> shuffled_registers(const module& m, const function& f);

}  // namespace simt::ptx
