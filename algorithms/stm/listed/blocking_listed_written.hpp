// The blocking STM of Cederman's thesis with lists of items, section 5.5.4 to the letter: only what
// is updated is checked.
#pragma once

#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_listed_written = listed_blocking_memory<objects, validated::written>;
}
struct blocking_listed_written : stm::words<stm::memory_of_blocking_listed_written> {};
SIMT_SUBJECT(blocking_listed_written);
