// The async proxy may not see that the mbarrier is initialized.
#pragma once

#include "bulk_loads.hpp"

struct bulk_load_no_fence : bulk_loads<16, true, false> {};
SIMT_SUBJECT(bulk_load_no_fence);
