// The spin semaphore with backoff and 10 permits.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_10 : spin_semaphore<10, on_failure::back_off> {};
SIMT_SUBJECT(spin_backoff_10);
