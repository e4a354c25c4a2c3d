// Finds nvcc and its version, groups subjects, and caches what nvcc makes.
#include "checker/hardware/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "checker/console/read_all.hpp"
#include "checker/kernel/compiled_subject.hpp"
#include "checker/kernel/nvcc.hpp"
#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/compile/process.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

// Finds the version in "Cuda compilation tools, release 13.0, V13.0.88".
std::string version_in(const std::string& text) {
  const std::size_t at = text.find(", V");
  if (at == std::string::npos) return "of unknown version";
  const std::size_t begin = at + 3;
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

/// Returns the program that nvcc makes from these arguments, made now or before.
fs::path compile(const std::vector<std::string>& arguments, const cuda_compiler& compiler) {
  std::vector<std::string> command{compiler.nvcc.string(), "-std=c++20", "-O3",
                                   "--expt-relaxed-constexpr"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::string identity = "runner format 1\n" + compiler.version + "\n";
  for (const std::string& word : command) identity += word + "\n";
  for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"}) {
    if (const char* value = std::getenv(name)) identity += fmt::format("{}={}\n", name, value);
  }
  const fs::path folder = simt::detail::cache_folder();
  identity += simt::detail::preprocess(command);
  const std::string name = "runner-" + simt::detail::content_hash(identity);
  if (auto found = simt::detail::find_cached(folder, name)) return *found;

  const simt::detail::scratch_folder scratch(folder);
  const fs::path made = scratch.path() / "runner";
  command.insert(command.end(), {"-o", made.string()});
  simt::detail::run_compiler_step(command, scratch.path());
  return simt::detail::keep_cached(folder, name, made);
}

}  // namespace

cuda_compiler find_nvcc() {
  const fs::path nvcc = nvcc_file();
  if (nvcc.empty()) {
    throw usage_error(
        "there is no nvcc to compile subjects for the GPU: install the CUDA Toolkit, and put its "
        "bin folder on PATH or set CUDA_HOME");
  }
  const auto answer = simt::detail::run_process({nvcc.string(), "--version"});
  if (answer.status != 0) {
    throw usage_error(fmt::format("{} --version fails: {}", nvcc.string(), answer.output));
  }
  return {nvcc, version_in(answer.output)};
}

std::string last_part(const std::string& subject) { return subject.substr(subject.rfind('/') + 1); }

fs::path subject_header(const scenario& what) {
  if (what.kernel) {
    throw usage_error(fmt::format(
        "{}: a [kernel] cannot be run on a GPU by this command yet; run its own program there, "
        "under compute-sanitizer for example",
        what.file.string()));
  }
  return header_of_subject(what);
}

std::vector<std::vector<std::size_t>> runner_groups(const std::vector<scenario>& scenarios) {
  std::vector<std::vector<std::size_t>> groups;
  // Subjects of two families may share a name, but not within one program.
  std::vector<std::set<std::string>> subjects;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const scenario& what = scenarios[i];
    const auto fits = [&](const std::set<std::string>& there) {
      if (there.contains(what.subject)) return true;
      return !there.empty() && std::ranges::none_of(there, [&](const std::string& other) {
        return last_part(other) == last_part(what.subject);
      });
    };
    auto group = what.source ? subjects.end() : std::ranges::find_if(subjects, fits);
    if (group == subjects.end()) {
      groups.emplace_back();
      group = subjects.emplace(subjects.end());
    }
    groups[static_cast<std::size_t>(group - subjects.begin())].push_back(i);
    if (!what.source) group->insert(what.subject);
  }
  return groups;
}

fs::path build_runner(const std::vector<fs::path>& headers, const std::string& architecture,
                      const cuda_compiler& compiler, runner_kind kind) {
  std::vector<std::string> arguments{
      "-arch=" + architecture, kind == runner_kind::trials ? "-DSIMT_DELAYS" : "-DSIMT_MEASURED",
      "-I" + warpcheck_paths::include_dir().string()};
  for (const fs::path& header : headers) {
    arguments.insert(arguments.end(), {"-include", header.string()});
  }
  arguments.push_back((warpcheck_paths::hardware_dir() / "runner.cu").string());
  return compile(arguments, compiler);
}

fs::path build_accesses(const std::string& architecture, const cuda_compiler& compiler) {
  return compile(
      {"-arch=" + architecture, (warpcheck_paths::hardware_dir() / "accesses.cu").string()},
      compiler);
}

fs::path build_structures(const std::string& program, const std::string& architecture,
                          const cuda_compiler& compiler) {
  const fs::path on_gpu = warpcheck_paths::hardware_dir() / program;
  const fs::path on_cpu = on_gpu.parent_path() / (on_gpu.stem().string() + "_cpu.cpp");
  std::vector<std::string> arguments{
      "-arch=" + architecture, "-DSIMT_MEASURED", "-I" + warpcheck_paths::include_dir().string(),
      "-I" + warpcheck_paths::algorithms_dir().string(), on_gpu.string()};
  if (fs::exists(on_cpu)) arguments.push_back(on_cpu.string());
  return compile(arguments, compiler);
}

fs::path build_litmus_runner(const std::string& tests, const std::string& architecture,
                             const cuda_compiler& compiler) {
  const fs::path hardware = warpcheck_paths::hardware_dir();
  const fs::path folder = simt::detail::cache_folder();
  const std::string name = "litmus-" + simt::detail::content_hash(tests) + ".cuh";
  if (!simt::detail::find_cached(folder, name)) {
    const simt::detail::scratch_folder scratch(folder);
    simt::write_whole(scratch.path() / name, tests);
    simt::detail::keep_cached(folder, name, scratch.path() / name);
  }
  return compile({"-arch=" + architecture, "-I" + hardware.string(), "-include",
                  (folder / name).string(), (hardware / "litmus_runner.cu").string()},
                 compiler);
}

}  // namespace warpcheck
