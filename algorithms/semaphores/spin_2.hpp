// The spin semaphore with 2 permits.
#pragma once

#include "spin_semaphore.hpp"

struct spin_2 : spin_semaphore<2, on_failure::retry> {};
SIMT_SUBJECT(spin_2);
