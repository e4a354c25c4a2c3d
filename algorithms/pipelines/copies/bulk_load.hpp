// The bytes are announced, and the consumer waits for them.
#pragma once

#include "bulk_loads.hpp"

struct bulk_load : bulk_loads<16, true> {};
SIMT_SUBJECT(bulk_load);
