// The obstruction-free STM without the count of those who may still store: a late store of a robbed
// transaction lands on a newer value.
#pragma once

#include "obstruction_free_memory.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_uncounted =
    obstruction_free_memory<objects, obstruction_free_faults{.counts_nobody = true}>;
}
struct obstruction_free_uncounted : stm::words<stm::memory_of_obstruction_free_uncounted> {};
SIMT_SUBJECT(obstruction_free_uncounted);
