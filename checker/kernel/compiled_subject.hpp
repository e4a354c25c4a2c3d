// Turns a subject into what nvcc makes of it: PTX, which is checked as any kernel's.
#pragma once

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Returns the header of a scenario's subject, shipped or the user's own. Throws usage_error.
std::filesystem::path header_of_subject(const scenario& what);

/// Returns the scenario with a source in place of its subject. The lanes' code is the PTX of the
/// subject's CUDA form; the object and its final check are those of the subject. Throws usage_error
/// if the subject cannot be checked that way, and simt::compile_error.
scenario compiled_by_nvcc(const scenario& what);

}  // namespace warpcheck
