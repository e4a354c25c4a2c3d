// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, with lists of items.
#pragma once

#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_listed = listed_obstruction_free_memory<objects>;
}
struct obstruction_free_listed : stm::words<stm::memory_of_obstruction_free_listed> {};
SIMT_SUBJECT(obstruction_free_listed);
