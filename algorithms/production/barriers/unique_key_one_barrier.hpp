// One barrier in each round: a fast thread writes its next key while slow ones compare.
#pragma once

#include "unique_keys.hpp"

struct unique_key_one_barrier : unique_keys<false> {};
SIMT_SUBJECT(unique_key_one_barrier);
