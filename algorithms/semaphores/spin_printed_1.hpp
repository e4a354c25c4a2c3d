// The spin semaphore with 1 permit as printed: nothing orders what is done inside.
#pragma once

#include "spin_semaphore.hpp"

struct spin_printed_1 : spin_semaphore<1, on_failure::retry, on_failure::retry,
                                       simt::memory_order_relaxed, simt::memory_order_relaxed> {};
SIMT_SUBJECT(spin_printed_1);
