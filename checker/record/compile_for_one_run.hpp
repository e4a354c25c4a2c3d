// Compiles the subject of a kernel to an object that runs it once, at the speed of the host. The
// process that carries out a program's launches uses that.
#pragma once

#include <filesystem>

namespace warpcheck {

/// Returns the shared object, compiled now or taken from the cache. Its accesses to memory and its
/// basic blocks call hooks, but the optimizer has seen the code. So it is for runs, not for checks.
/// Throws simt::compile_error.
std::filesystem::path compile_for_one_run(const std::filesystem::path& source);

}  // namespace warpcheck
