// As scan_hillis_steele, without a barrier that it needs.
#pragma once

#include "scans.hpp"

struct scan_hillis_steele_no_barrier : scan::hillis_steele<nothing> {};
SIMT_SUBJECT(scan_hillis_steele_no_barrier);
