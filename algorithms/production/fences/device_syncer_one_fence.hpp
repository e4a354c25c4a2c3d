// A fence before counting, and none behind the wait.
#pragma once

#include "device_syncers.hpp"

struct device_syncer_one_fence : device_syncers<nothing_behind> {};
SIMT_SUBJECT(device_syncer_one_fence);
