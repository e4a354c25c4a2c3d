// TL2 that does not read the lock again behind the word: the word may be younger than its lock was.
#pragma once

#include "tl2_memory.hpp"

namespace stm {
template <int objects>
using memory_of_tl2_lock_once = tl2_memory<objects, tl2_faults{.reads_lock_once = true}>;
}
struct tl2_lock_once : stm::words<stm::memory_of_tl2_lock_once> {};
SIMT_SUBJECT(tl2_lock_once);
