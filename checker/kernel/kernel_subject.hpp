// Turns a kernel of CUDA or PTX and its launch into a subject, which is then checked as any other.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"
#include "sim/ptx/launch.hpp"
#include "sim/ptx/module.hpp"

namespace warpcheck {

/// A file of kernels, as PTX.
struct kernel_file {
  simt::ptx::module module;
  std::filesystem::path ptx;  // the file that was read: the given one, or what nvcc made of it
};

/// Reads a .ptx file, or compiles a .cu file. Throws usage_error with its place, and
/// simt::compile_error.
kernel_file read_kernels(const kernel_launch& what);
/// Compiles a file of CUDA, whatever its name ends in. Throws simt::compile_error.
kernel_file read_kernels_of_cuda(const std::filesystem::path& source,
                                 const std::vector<std::string>& flags);

/// Returns the kernel that is meant: by its name in CUDA or in PTX, or the only one. Throws
/// usage_error that names the kernels of the file.
const simt::ptx::kernel& find_kernel(const kernel_file& file, const kernel_launch& what);

/// Returns a kernel's name as CUDA has it: "scan<int>(int*, int)".
std::string cuda_name(const simt::ptx::kernel& kernel);

/// Throws usage_error with what the kernel uses that cannot be checked yet, if there is any.
void refuse_unsupported(const kernel_file& file, const simt::ptx::kernel& kernel);

/// What a list of kernels says of one. An empty text or list: there is nothing to say.
struct listed_kernel {
  std::string name;         // in CUDA
  std::string name_in_ptx;  // mangled
  std::vector<std::string> parameters;
  std::string blocks;                    // that a launch needs: "blocks of at most 256 threads"
  std::vector<std::string> unsupported;  // each with its place; then it cannot be checked
  std::string launch;                    // options of a launch to begin with
  std::vector<std::string> assumptions;  // verdicts rest on these
};

/// Lists all kernels of a file.
std::vector<listed_kernel> list_kernels(const kernel_file& file);

/// Returns the scenario with a source, a subject, a workload and a grid in place of its kernel. It
/// keeps the kernel for reports and counterexamples, with what its verdicts rest on. A scenario
/// that has a source stays as it is. Throws usage_error if the launch does not fit or an
/// instruction is not supported, and simt::compile_error.
scenario with_subject(const scenario& what);
/// Returns such a scenario if the file of its kernel has been read.
scenario with_subject(const scenario& what, const kernel_file& file);
/// Returns the scenario with a source and a subject for one launch of one kernel; its grid stays.
/// The source's name begins with `stem`. For a kernel that refuse_unsupported() accepts. Throws
/// usage_error and simt::ptx::launch_error.
scenario translated(const scenario& what, const kernel_file& file, const simt::ptx::kernel& kernel,
                    const simt::ptx::launch& launch, const std::string& stem);

/// Keeps a text as a file in the cache of compiled subjects. Its name begins with `stem`. Throws
/// simt::compile_error.
std::filesystem::path keep_text(const std::string& stem, const std::string& extension,
                                const std::string& text);
/// Keeps a subject's text so.
std::filesystem::path keep_header(const std::string& stem, const std::string& text);

}  // namespace warpcheck
