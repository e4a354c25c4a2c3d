// The obstruction-free STM with lists of items, without the count of those who may still store.
#pragma once

#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_listed_uncounted =
    listed_obstruction_free_memory<objects, obstruction_free_faults{.counts_nobody = true}>;
}
struct obstruction_free_listed_uncounted
    : stm::words<stm::memory_of_obstruction_free_listed_uncounted> {};
SIMT_SUBJECT(obstruction_free_listed_uncounted);
