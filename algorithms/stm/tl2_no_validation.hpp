// TL2 that does not look at what it has read before it writes: write skew, lost updates.
#pragma once

#include "tl2_memory.hpp"

namespace stm {
template <int objects>
using memory_of_tl2_no_validation = tl2_memory<objects, tl2_faults{.does_not_validate = true}>;
}
struct tl2_no_validation : stm::words<stm::memory_of_tl2_no_validation> {};
SIMT_SUBJECT(tl2_no_validation);
