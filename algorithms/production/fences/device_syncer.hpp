// A fence before counting and one behind the wait.
#pragma once

#include "device_syncers.hpp"

struct device_syncer : device_syncers<fence_behind> {};
SIMT_SUBJECT(device_syncer);
