// One arrival is expected, and one of two warps arrives.
#pragma once

#include "release_counts.hpp"

struct release_count_too_low : release_counts<1, 1> {};
SIMT_SUBJECT(release_count_too_low);
