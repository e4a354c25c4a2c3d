// Programs as C++ subjects.
#pragma once

#include <cstdint>
#include <string>

#include "tests/naive/generate.hpp"
#include "tests/naive/program.hpp"

namespace naive {

/// The header's first lines, with the helpers that the programs use.
std::string emit_prologue();
/// One subject: a struct named as the program, and its registration.
/// `says_unused`: an addition without a target says so, as in translated kernels.
std::string emit(const program& p, bool says_unused = false);
/// A whole header: programs first .. first + count - 1 of a seed. Every other pair of programs says
/// which results are unused.
std::string emit_header(std::uint64_t seed, unsigned first, unsigned count,
                        grids which = grids::any, kinds kind = kinds::any);

}  // namespace naive
