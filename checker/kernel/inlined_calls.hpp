// Says from where inlined functions are called, in reports about kernels.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/kernel_launch.hpp"

namespace warpcheck {

/// Returns "spin.cu:5 (take) is called at spin.cu:17." for the first few lines that the sentences
/// name and that lie in functions which the compiler has inlined. A line that calls a function of a
/// library leads there: "spin.cu:9 leads to barrier.h:112." Empty: there are no such lines, or the
/// kernel cannot be read any more.
std::string inlined_calls(const std::vector<std::string>& sentences, const kernel_launch& launch);

}  // namespace warpcheck
