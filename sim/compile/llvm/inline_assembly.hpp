// Assembly in device code, for messages.
#pragma once

#include <istream>
#include <vector>

#include "sim/compile/llvm/device_code.hpp"

namespace simt::detail {

/// Where device code has assembly of its own, in LLVM's textual form of a module. (An empty piece,
/// which only stops optimizers, and those of keep_accesses do not count.)
std::vector<source_place> find_inline_assembly(std::istream& module);

}  // namespace simt::detail
