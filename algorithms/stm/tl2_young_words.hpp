// TL2 that reads words younger than the transaction: a zombie sees two moments.
#pragma once

#include "tl2_memory.hpp"

namespace stm {
template <int objects>
using memory_of_tl2_young_words = tl2_memory<objects, tl2_faults{.reads_young_words = true}>;
}
struct tl2_young_words : stm::words<stm::memory_of_tl2_young_words> {};
SIMT_SUBJECT(tl2_young_words);
