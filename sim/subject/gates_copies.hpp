// Says how a subject's agents carry out asynchronous copies.
#pragma once

#include "sim/subject/subject.hpp"

namespace simt {

/// Whether agents wait at gates (simt/ptx/bulk_copy.hpp), so that steps may run ahead of copies.
[[nodiscard]] bool gates_copies(const subject_library& library);

}  // namespace simt
