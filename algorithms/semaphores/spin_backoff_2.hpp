// The spin semaphore with backoff and 2 permits.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_2 : spin_semaphore<2, on_failure::back_off> {};
SIMT_SUBJECT(spin_backoff_2);
