// Reorders the blocks of device code. Their order decides which arm of a divergent branch a GPU
// runs first.
#pragma once

#include <string>

namespace simt::detail {

/// `module` is LLVM IR as text in which all values and blocks have names. Behind each branch the
/// arm that came last comes first. The program does the same as before. Throws std::runtime_error
/// if a branch leads to a block that is not there.
std::string with_arms_swapped(const std::string& module);

}  // namespace simt::detail
