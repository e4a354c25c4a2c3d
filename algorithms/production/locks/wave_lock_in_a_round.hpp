// Each lane takes the lock and gives it back within one round of its loop.
#pragma once

#include "wave_locks.hpp"

struct wave_lock_in_a_round : lane_in_a_round {};
SIMT_SUBJECT(wave_lock_in_a_round);
