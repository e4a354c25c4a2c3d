// Names threads as CUDA numbers them, in reports about kernels.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/kernel_launch.hpp"

namespace warpcheck {

/// Returns "w0.l5 is thread (5,0,0) of block (0,0,0)." for the first few lanes that the sentences
/// name. Empty: they name none.
std::string cuda_threads(const std::vector<std::string>& sentences, const kernel_launch& launch);

}  // namespace warpcheck
