// As scan_work_efficient, without a barrier that it needs.
#pragma once

#include "scans.hpp"

struct scan_work_efficient_no_barrier : scan::work_efficient<nothing> {};
SIMT_SUBJECT(scan_work_efficient_no_barrier);
