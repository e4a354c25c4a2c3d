// The phase ends with the arrival alone.
#pragma once

#include "bulk_loads.hpp"

struct bulk_load_not_announced : bulk_loads<0, true> {};
SIMT_SUBJECT(bulk_load_not_announced);
