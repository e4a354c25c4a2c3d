// Compiles GPU runners with nvcc: hardware/runner.cu with subjects, hardware/litmus_runner.cu with
// litmus tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

struct cuda_compiler {
  std::filesystem::path nvcc;
  std::string version;  // "13.0.88"
};

/// Returns nvcc from PATH, or from $CUDA_HOME, $CUDA_PATH or /usr/local/cuda. Throws usage_error if
/// there is none.
cuda_compiler find_nvcc();

/// Returns a shipped subject's name without its family: "tas" for "locks/tas".
std::string last_part(const std::string& subject);

/// Returns the header of a scenario's subject. Throws usage_error if a shipped one is missing.
std::filesystem::path subject_header(const scenario& what);

/// Groups subjects that one runner can hold, as indices of `scenarios`. Shipped ones go together,
/// since nvcc takes seconds to start. A user's subject goes alone, since its mistakes and names are
/// its own.
std::vector<std::vector<std::size_t>> runner_groups(const std::vector<scenario>& scenarios);

/// The use of a runner: trials with delays, or measurements without anything that takes time.
enum class runner_kind { trials, measurements };

/// Returns a runner with these subjects for this architecture ("sm_90"), compiled now or taken from
/// the cache. The key of the cache is the content of every file read, and the compiler. Throws
/// simt::compile_error with nvcc's own message.
std::filesystem::path build_runner(const std::vector<std::filesystem::path>& headers,
                                   const std::string& architecture, const cuda_compiler& compiler,
                                   runner_kind kind = runner_kind::trials);

/// Builds the program that measures accesses to memory (hardware/accesses.cu).
std::filesystem::path build_accesses(const std::string& architecture,
                                     const cuda_compiler& compiler);

/// Builds a program of hardware/ that measures a benchmark without scenarios, such as "table.cu" or
/// "sets.cu". The latter comes with its part for the CPU (sets_cpu.cpp).
std::filesystem::path build_structures(const std::string& program, const std::string& architecture,
                                       const cuda_compiler& compiler);

/// Builds a runner of litmus tests. `tests` is their source (litmus/gpu/source.hpp).
std::filesystem::path build_litmus_runner(const std::string& tests, const std::string& architecture,
                                          const cuda_compiler& compiler);

}  // namespace warpcheck
