// The blocking STM of Cederman's thesis (2011), section 5.5, with lists of items.
#pragma once

#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_listed = listed_blocking_memory<objects>;
}
struct blocking_listed : stm::words<stm::memory_of_blocking_listed> {};
SIMT_SUBJECT(blocking_listed);
