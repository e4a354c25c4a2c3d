// Others are told when the tile was read, not when it was sent.
#pragma once

#include "bulk_stores.hpp"

struct bulk_store_told_early : bulk_stores<true, true, false> {};
SIMT_SUBJECT(bulk_store_told_early);
