// The flag is polled with acquire.
#pragma once

#include "polled_flags.hpp"

struct polled_flag : polled_flags<simt::memory_order_acquire> {};
SIMT_SUBJECT(polled_flag);
