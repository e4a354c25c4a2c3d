// The barrier of the block stands where all warps come by.
#pragma once

#include "late_workers.hpp"

struct late_worker : late_workers<true> {};
SIMT_SUBJECT(late_worker);
