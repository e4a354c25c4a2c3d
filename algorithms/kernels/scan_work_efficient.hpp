// The work-efficient prefix sum of Blelloch.
#pragma once

#include "scans.hpp"

struct scan_work_efficient : scan::work_efficient<barrier> {};
SIMT_SUBJECT(scan_work_efficient);
