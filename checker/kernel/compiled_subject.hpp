// From a subject to what nvcc makes of it: PTX, which is checked as any kernel's.
#pragma once

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// The header of a scenario's subject, shipped or the user's own. Throws usage_error.
std::filesystem::path header_of_subject(const scenario& what);

/// The scenario with a source in place of its subject: the lanes' code is the PTX of the subject's
/// CUDA form, the object and its final check are those of the subject. Throws usage_error where the
/// subject is none that can be checked so, and simt::compile_error.
scenario compiled_by_nvcc(const scenario& what);

}  // namespace warpcheck
