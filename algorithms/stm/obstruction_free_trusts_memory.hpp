// The obstruction-free STM with a thief that takes the value from memory, where it is not yet.
#pragma once

#include "obstruction_free_memory.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free_trusts_memory =
    obstruction_free_memory<objects, obstruction_free_faults{.trusts_memory = true}>;
}
struct obstruction_free_trusts_memory : stm::words<stm::memory_of_obstruction_free_trusts_memory> {
};
SIMT_SUBJECT(obstruction_free_trusts_memory);
