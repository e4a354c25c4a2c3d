// The lanes meet, but nobody has waited for its copy.
#pragma once

#include "lane_copies.hpp"

struct lane_copy_no_wait : lane_copies<false, true> {};
SIMT_SUBJECT(lane_copy_no_wait);
