// One arrival is expected, and both warps arrive.
#pragma once

#include "release_counts.hpp"

struct release_count_overrun : release_counts<1, 2> {};
SIMT_SUBJECT(release_count_overrun);
