// Suggests a launch of a kernel to somebody who has not described one yet.
#pragma once

#include <string>

#include "checker/kernel/kernel_subject.hpp"

namespace warpcheck {

/// Returns options of `check`, such as "--grid 1 --block 4 --buffer p0=4:f32 --arg p0 --arg 4".
/// They give few threads, a small buffer for each pointer, and the size of a buffer for each
/// number. Empty if the kernel has parameters of other kinds.
std::string launch_to_try(const kernel_file& file, const simt::ptx::kernel& kernel);

}  // namespace warpcheck
