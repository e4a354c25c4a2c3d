// Compiles kernels with the flags for a single run, and caches the objects.
#include "checker/record/compile_for_one_run.hpp"

#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/files/scratch_folder.hpp"

namespace warpcheck {
namespace {

// ThreadSanitizer's pass allows checks of the addresses of accesses, and lets other threads run at
// volatile loads. Lines say where threads wait that never end. The calls at basic blocks let them
// run in loops without either.
const simt::detail::words& one_run_flags() {
  static const simt::detail::words flags{"-x",
                                         "c++",
                                         "-std=c++20",
                                         "-O1",
                                         "-g1",
                                         "-w",
                                         "-fsanitize=thread",
                                         "-mllvm",
                                         "-tsan-distinguish-volatile",
                                         "-mllvm",
                                         "-tsan-instrument-func-entry-exit=0",
                                         "-fsanitize-coverage=trace-pc",
                                         "-fno-exceptions",
                                         "-fPIC",
                                         "-fvisibility=hidden",
                                         "--no-default-config"};
  return flags;
}

}  // namespace

std::filesystem::path compile_for_one_run(const std::filesystem::path& source) {
  namespace fs = std::filesystem;
  const std::string clang = simt::detail::subject_compiler().string();
  simt::detail::words command{clang};
  command.insert(command.end(), one_run_flags().begin(), one_run_flags().end());
  command.push_back("-I" + simt::detail::api_include_folder().string());
  command.push_back(simt::detail::existing_source(source).string());
  std::string identity = "run format 2\n";
  for (const std::string& word : command) identity += word + "\n";
  const fs::path folder = simt::detail::cache_folder();
  const std::string name =
      source.stem().string() + "-" +
      simt::detail::content_hash(identity + simt::detail::preprocess(command)) + ".run.so";
  if (auto found = simt::detail::find_cached(folder, name)) return *found;

  const simt::detail::scratch_folder scratch(folder);
  const fs::path object = scratch.path() / "kernel.o";
  const fs::path made = scratch.path() / "kernel.so";
  command.insert(command.end(), {"-c", "-o", object.string()});
  simt::detail::run_compiler_step(command, scratch.path());
  simt::detail::run_compiler_step({clang, "-shared", object.string(), "-o", made.string()},
                                  scratch.path());
  return simt::detail::keep_cached(folder, name, made);
}

}  // namespace warpcheck
