// CUDA's compiler: where it is, and what PTX it makes of a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

/// nvcc from PATH, or of $CUDA_HOME, $CUDA_PATH or /usr/local/cuda; empty: there is none.
std::filesystem::path nvcc_file();

/// The PTX of a .cu file, with line numbers, compiled now or taken from the cache. `flags` come
/// last; without an -arch among them it is for sm_90. Throws simt::compile_error with nvcc's own
/// message, or where there is no nvcc.
std::filesystem::path compile_cuda_to_ptx(const std::filesystem::path& source,
                                          const std::vector<std::string>& flags);

}  // namespace warpcheck
