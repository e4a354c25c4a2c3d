// Finds values that no run of the program gives, such as an element beyond a constant array.
#pragma once

#include <istream>
#include <optional>

#include "sim/compile/llvm/device_code.hpp"

namespace simt::detail {

/// The first use of such a value in device code, in LLVM's textual form of a module after
/// instrumentation. LLVM computes constants itself: elements beyond a constant array, shifts by too
/// many bits, divisions by zero. When the subject runs, none of these is an access or a trap any
/// more.
std::optional<source_place> find_undefined_value(std::istream& module);

/// The type of the operand "poison", LLVM's name for such a value, of an instruction. Empty: the
/// instruction has no such operand, or only as a place to be filled.
std::string_view type_of_undefined(std::string_view line);

}  // namespace simt::detail
