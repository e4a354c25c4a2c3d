// The flag is polled relaxed.
#pragma once

#include "polled_flags.hpp"

struct polled_flag_relaxed : polled_flags<simt::memory_order_relaxed> {};
SIMT_SUBJECT(polled_flag_relaxed);
