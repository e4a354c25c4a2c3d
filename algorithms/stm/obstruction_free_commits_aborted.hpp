// The obstruction-free STM with a commit that does not look whether others have aborted it.
#pragma once

#include "obstruction_free_memory.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_commits_aborted =
    obstruction_free_memory<objects, obstruction_free_faults{.commits_if_aborted = true}>;
}
struct obstruction_free_commits_aborted
    : stm::words<stm::memory_of_obstruction_free_commits_aborted> {};
SIMT_SUBJECT(obstruction_free_commits_aborted);
