// The obstruction-free STM with locks of what is written alone, where a transaction lets those go
// on that own what it has read.
#pragma once

#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_listed_trusts_owners =
    listed_obstruction_free_memory<objects, obstruction_free_faults{},
                                   what_is_locked::written_and_trusts_owners>;
}
struct obstruction_free_listed_trusts_owners
    : stm::words<stm::memory_of_obstruction_free_listed_trusts_owners> {};
SIMT_SUBJECT(obstruction_free_listed_trusts_owners);
