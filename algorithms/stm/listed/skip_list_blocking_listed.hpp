// The skip list of structures.hpp over the blocking STM of Cederman's thesis (2011) with lists
// of items.
#pragma once

#include "../structures.hpp"
#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_skip_list_blocking_listed = listed_blocking_memory<objects>;
}
struct skip_list_blocking_listed : stm::skip_list<stm::memory_of_skip_list_blocking_listed> {};
SIMT_SUBJECT(skip_list_blocking_listed);
