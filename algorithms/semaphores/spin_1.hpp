// The spin semaphore with 1 permit.
#pragma once

#include "spin_semaphore.hpp"

struct spin_1 : spin_semaphore<1, on_failure::retry> {};
SIMT_SUBJECT(spin_1);
