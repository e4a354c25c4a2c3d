// The consumer does not wait.
#pragma once

#include "bulk_loads.hpp"

struct bulk_load_no_wait : bulk_loads<16, false> {};
SIMT_SUBJECT(bulk_load_no_wait);
