// The spin semaphore with 10 permits.
#pragma once

#include "spin_semaphore.hpp"

struct spin_10 : spin_semaphore<10, on_failure::retry> {};
SIMT_SUBJECT(spin_10);
