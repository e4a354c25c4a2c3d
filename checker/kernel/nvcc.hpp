// Finds CUDA's compiler, and compiles files to PTX with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

/// Returns nvcc from PATH, or from $CUDA_HOME, $CUDA_PATH or /usr/local/cuda; empty: there is none.
std::filesystem::path nvcc_file();

/// Returns the PTX of a .cu file, with line numbers, compiled now or taken from the cache. `flags`
/// come last; without an -arch among them the target is sm_90. Throws simt::compile_error with
/// nvcc's own message, or if there is no nvcc.
std::filesystem::path compile_cuda_to_ptx(const std::filesystem::path& source,
                                          const std::vector<std::string>& flags);

}  // namespace warpcheck
