// The tile is written again while the copy reads it.
#pragma once

#include "bulk_stores.hpp"

struct bulk_store_no_wait : bulk_stores<true, false> {};
SIMT_SUBJECT(bulk_store_no_wait);
