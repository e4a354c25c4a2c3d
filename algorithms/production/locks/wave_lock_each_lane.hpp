// Each lane of a wavefront spins for the lock.
#pragma once

#include "wave_locks.hpp"

struct wave_lock_each_lane : lane_takes_it {};
SIMT_SUBJECT(wave_lock_each_lane);
