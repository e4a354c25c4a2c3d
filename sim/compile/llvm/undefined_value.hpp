// Values that no run of the program gives: what LLVM makes of an index beyond a constant array.
#pragma once

#include <istream>
#include <optional>

#include "sim/compile/llvm/device_code.hpp"

namespace simt::detail {

/// The first use of such a value in device code, in LLVM's textual form of a module after
/// instrumentation. LLVM computes constants itself: what is beyond a constant array, a shift by too
/// many bits, a division by zero. None of these is an access or a trap any more when the subject
/// runs.
std::optional<source_place> find_undefined_value(std::istream& module);

/// The type of LLVM's name for such a value, "poison", among the operands of an instruction; empty
/// where there is none, or one that is only a place to be filled.
std::string_view type_of_undefined(std::string_view line);

}  // namespace simt::detail
