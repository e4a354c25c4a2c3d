// The obstruction-free STM with locks of what is written alone, without a fence between taking
// these and the last look at what was only read.
#pragma once

#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_listed_writes_no_fence =
    listed_obstruction_free_memory<objects, obstruction_free_faults{},
                                   what_is_locked::written_without_fence>;
}
struct obstruction_free_listed_writes_no_fence
    : stm::words<stm::memory_of_obstruction_free_listed_writes_no_fence> {};
SIMT_SUBJECT(obstruction_free_listed_writes_no_fence);
