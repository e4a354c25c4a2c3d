// Says whether a subject makes asynchronous copies, and how its agents carry them out.
#pragma once

#include "sim/subject/subject.hpp"

namespace simt {

/// Whether the blocks of `entry` need agents: its code calls a function that makes copies. (Other
/// subjects of its file may do so instead.) In kernels of PTX: whether some kernel of the file
/// does.
[[nodiscard]] bool makes_copies(const subject_library& library, const detail::subject_entry& entry);

/// Whether agents wait at gates (simt/ptx/bulk_copy.hpp), so that steps may run ahead of copies.
[[nodiscard]] bool gates_copies(const subject_library& library);

}  // namespace simt
