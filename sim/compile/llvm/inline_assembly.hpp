// Finds assembly in device code, for messages.
#pragma once

#include <istream>
#include <vector>

#include "sim/compile/llvm/device_code.hpp"

namespace simt::detail {

/// The places where device code has assembly of its own, in LLVM's textual form of a module. An
/// empty piece, which only stops optimizers, does not count, nor do those of keep_accesses.
std::vector<source_place> find_inline_assembly(std::istream& module);

}  // namespace simt::detail
