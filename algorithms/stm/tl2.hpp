// Transactional Locking II (Dice, Shalev and Shavit, DISC 2006).
#pragma once

#include "tl2_memory.hpp"

namespace stm {
template <int objects>
using memory_of_tl2 = tl2_memory<objects>;
}
struct tl2 : stm::words<stm::memory_of_tl2> {};
SIMT_SUBJECT(tl2);
