// The prefix sum of Hillis and Steele with two buffers.
#pragma once

#include "scans.hpp"

struct scan_hillis_steele : scan::hillis_steele<barrier> {};
SIMT_SUBJECT(scan_hillis_steele);
