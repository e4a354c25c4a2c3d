// The GPU runners, compiled by nvcc: hardware/runner.cu with subjects, hardware/litmus_runner.cu
// with litmus tests.
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

/// nvcc from PATH, or of $CUDA_HOME, $CUDA_PATH or /usr/local/cuda. Throws usage_error if none is
/// there.
cuda_compiler find_nvcc();

/// A shipped subject's name without its family: "tas" of "locks/tas".
std::string last_part(const std::string& subject);

/// The header of a scenario's subject. Throws usage_error where a shipped one is missing.
std::filesystem::path subject_header(const scenario& what);

/// Subjects that one runner can hold, as indices of `scenarios`: shipped ones together, since nvcc
/// takes seconds to start; a user's alone, since its mistakes and names are its own.
std::vector<std::vector<std::size_t>> runner_groups(const std::vector<scenario>& scenarios);

/// What a runner is for: trials with delays, or measurements without anything that takes time.
enum class runner_kind { trials, measurements };

/// A runner with these subjects for this architecture ("sm_90"), compiled now or taken from the
/// cache. The cache is keyed by the content of every file read, and by the compiler. Throws
/// simt::compile_error with nvcc's own message.
std::filesystem::path build_runner(const std::vector<std::filesystem::path>& headers,
                                   const std::string& architecture, const cuda_compiler& compiler,
                                   runner_kind kind = runner_kind::trials);

/// The program that measures accesses to memory (hardware/accesses.cu).
std::filesystem::path build_accesses(const std::string& architecture,
                                     const cuda_compiler& compiler);

/// A program of hardware/ that measures a benchmark without scenarios, such as "table.cu" or
/// "sets.cu"; the latter with what it has for the CPU (sets_cpu.cpp).
std::filesystem::path build_structures(const std::string& program, const std::string& architecture,
                                       const cuda_compiler& compiler);

/// The same of litmus tests; `tests`: their source (litmus/gpu/source.hpp).
std::filesystem::path build_litmus_runner(const std::string& tests, const std::string& architecture,
                                          const cuda_compiler& compiler);

}  // namespace warpcheck
