// The spin semaphore with backoff in wait() and in post(), as algorithm 4 prints it, and 1 permit.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_post_1 : spin_semaphore<1, on_failure::back_off, on_failure::back_off> {};
SIMT_SUBJECT(spin_backoff_post_1);
