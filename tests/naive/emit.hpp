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
std::string emit(const program& p);
/// A whole header: programs first .. first + count - 1 of a seed.
std::string emit_header(std::uint64_t seed, unsigned first, unsigned count,
                        grids which = grids::any, kinds kind = kinds::any);

}  // namespace naive
