// Each lane waits for its copy, and then they meet.
#pragma once

#include "lane_copies.hpp"

struct lane_copy : lane_copies<true, true> {};
SIMT_SUBJECT(lane_copy);
