// The first lane takes the lock for the whole wavefront.
#pragma once

#include "wave_locks.hpp"

struct wave_lock_first_lane : wave_takes_it {};
SIMT_SUBJECT(wave_lock_first_lane);
