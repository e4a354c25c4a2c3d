// The order in which the blocks of device code are written, on which it depends which arm of a
// divergent branch a GPU runs first.
#pragma once

#include <string>

namespace simt::detail {

/// The module, LLVM IR as text in which all values and blocks have names, with the blocks of each
/// function in another order: behind a branch comes first what came last before. What the program
/// does is the same. Throws std::runtime_error if a branch leads to a block that is not there.
std::string with_arms_swapped(const std::string& module);

}  // namespace simt::detail
