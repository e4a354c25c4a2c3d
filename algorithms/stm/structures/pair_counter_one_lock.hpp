// A counter of two words over the blocking STM of Cederman's thesis (2011) whose objects share a
// lock: each increment finds the lock taken by itself.
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_pair_counter_one_lock =
    blocking_memory<objects, blocking_choices{validated::read, false, true}>;
}
struct pair_counter_one_lock : stm::counter<stm::memory_of_pair_counter_one_lock, 2> {};
SIMT_SUBJECT(pair_counter_one_lock);
