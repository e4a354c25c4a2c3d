// Two arrivals are expected, and one warp arrives.
#pragma once

#include "release_counts.hpp"

struct release_count_too_high : release_counts<2, 1> {};
SIMT_SUBJECT(release_count_too_high);
