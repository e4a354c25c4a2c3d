// Two arrivals are expected, and both warps arrive.
#pragma once

#include "release_counts.hpp"

struct release_count : release_counts<2, 2> {};
SIMT_SUBJECT(release_count);
