// From a C++ header to PTX of sm_60, which a current GPU runs with the scheduling of GPUs before
// Volta (docs/hardware.md).
#pragma once

#include <filesystem>

#include "sim/compile/compile.hpp"

namespace simt {

/// The same program twice. Of a divergent branch the GPU runs the arm first that it comes to first,
/// so what depends on that happens in one of the two.
struct ptx_files {
  std::filesystem::path as_written;    // the blocks in the order of the source
  std::filesystem::path arms_swapped;  // behind each branch, what came last comes first
};

/// Compiles `header`, or takes from the cache what was compiled of the same files. Throws as
/// compile_subject_to does.
ptx_files compile_ptx(const std::filesystem::path& header);

/// Compiles `header` to those two files, whose folders are made if need be. Throws the same.
void compile_ptx_to(const std::filesystem::path& header, const ptx_files& to);

/// Whether PTX was made of this header as it is now, and of everything it includes, the API too;
/// else what has changed, or that it is not such a file. Needs no compiler.
std::string why_outdated(const std::filesystem::path& ptx, const std::filesystem::path& header);

}  // namespace simt
