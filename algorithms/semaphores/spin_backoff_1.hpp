// The spin semaphore with backoff and 1 permit.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_1 : spin_semaphore<1, on_failure::back_off> {};
SIMT_SUBJECT(spin_backoff_1);
