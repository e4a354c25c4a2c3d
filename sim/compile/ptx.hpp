// Compiles a C++ header to PTX of sm_60, which a current GPU runs with the scheduling of GPUs
// before Volta (docs/hardware.md).
#pragma once

#include <filesystem>

#include "sim/compile/compile.hpp"

namespace simt {

/// The program in two versions. The GPU runs the arm of a divergent branch first that comes first
/// in the code. So what depends on that order happens in one of the versions.
struct ptx_files {
  std::filesystem::path as_written;    // blocks in the order of the source
  std::filesystem::path arms_swapped;  // behind each branch, the arm that came last comes first
};

/// Compiles `header`, or takes the result of the same files from the cache. Throws as
/// compile_subject_to does.
ptx_files compile_ptx(const std::filesystem::path& header);

/// Compiles `header` to those two files, and makes their folders if need be. Throws as
/// compile_subject_to does.
void compile_ptx_to(const std::filesystem::path& header, const ptx_files& to);

/// Whether the PTX is of this header as it is now, and of everything it includes, the API too.
/// Empty: it is. Else says what has changed, or that the file is no such PTX. Needs no compiler.
std::string why_outdated(const std::filesystem::path& ptx, const std::filesystem::path& header);

}  // namespace simt
