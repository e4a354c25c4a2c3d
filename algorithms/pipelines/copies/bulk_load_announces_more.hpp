// More bytes are announced than are copied.
#pragma once

#include "bulk_loads.hpp"

struct bulk_load_announces_more : bulk_loads<32, true> {};
SIMT_SUBJECT(bulk_load_announces_more);
