// Nobody orders the writes with the async proxy.
#pragma once

#include "bulk_stores.hpp"

struct bulk_store_no_fence : bulk_stores<false, true> {};
SIMT_SUBJECT(bulk_store_no_fence);
