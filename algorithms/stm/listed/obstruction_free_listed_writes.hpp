// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, with lists of items, where a
// transaction takes the locks of what it writes alone.
#pragma once

#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_listed_writes =
    listed_obstruction_free_memory<objects, obstruction_free_faults{}, what_is_locked::written>;
}
struct obstruction_free_listed_writes : stm::words<stm::memory_of_obstruction_free_listed_writes> {
};
SIMT_SUBJECT(obstruction_free_listed_writes);
