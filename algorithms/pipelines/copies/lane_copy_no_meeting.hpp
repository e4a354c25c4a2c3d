// Each lane waits for its own copy alone.
#pragma once

#include "lane_copies.hpp"

struct lane_copy_no_meeting : lane_copies<true, false> {};
SIMT_SUBJECT(lane_copy_no_meeting);
