// From the subject of a kernel to an object that runs it once, at the speed of the host: for the
// process that carries out the launches of a program.
#pragma once

#include <filesystem>

namespace warpcheck {

/// The shared object, compiled now or taken from the cache. Its accesses to memory and its basic
/// blocks call hooks, but the optimizer has seen the code: it is for runs, not for checks. Throws
/// simt::compile_error.
std::filesystem::path compile_for_one_run(const std::filesystem::path& source);

}  // namespace warpcheck
