// Looks for nvcc in the usual places, runs it, and caches its PTX.
#include "checker/kernel/nvcc.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/compile/process.hpp"
#include "sim/files/scratch_folder.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

fs::path nvcc_in(const fs::path& folder) {
  const fs::path file = folder / "bin" / "nvcc";
  std::error_code ignored;
  const bool runs = fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
  return runs ? file : fs::path();
}

bool names_architecture(const std::string& flag) {
  return flag.starts_with("-arch") || flag.starts_with("--gpu-architecture") ||
         flag.starts_with("-gencode") || flag.starts_with("--generate-code");
}

}  // namespace

fs::path nvcc_file() {
  fs::path found = simt::detail::find_program("nvcc");
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (found.empty() && folder != nullptr && *folder != '\0') found = nvcc_in(folder);
  }
  return found.empty() ? nvcc_in("/usr/local/cuda") : found;
}

fs::path compile_cuda_to_ptx(const fs::path& source, const std::vector<std::string>& flags) {
  const fs::path nvcc = nvcc_file();
  if (nvcc.empty()) {
    throw simt::compile_error(
        source.string() +
        ": there is no nvcc to compile it: install the CUDA Toolkit, and put its "
        "bin folder on PATH or set CUDA_HOME; or give the PTX, which `nvcc -ptx "
        "-lineinfo` makes elsewhere");
  }
  const fs::path absolute = simt::detail::existing_source(source);
  simt::detail::words command{nvcc.string(), "-lineinfo", "-O3"};
  if (std::ranges::none_of(flags, names_architecture)) command.emplace_back("-arch=sm_90");
  command.insert(command.end(), flags.begin(), flags.end());
  command.push_back(absolute.string());
  const auto version = simt::detail::run_process({nvcc.string(), "--version"});
  std::string identity = "kernel format 1\n" + version.output;
  for (const std::string& word : command) identity += word + "\n";
  const fs::path folder = simt::detail::cache_folder();
  const std::string name =
      absolute.stem().string() + "-" +
      simt::detail::content_hash(identity + simt::detail::preprocess(command)) + ".ptx";
  if (auto found = simt::detail::find_cached(folder, name)) return *found;

  const simt::detail::scratch_folder scratch(folder);
  const fs::path made = scratch.path() / "kernel.ptx";
  command.insert(command.end(), {"-ptx", "-o", made.string()});
  simt::detail::run_compiler_step(command, scratch.path());
  return simt::detail::keep_cached(folder, name, made);
}

}  // namespace warpcheck
