// Writers fence, the copy is waited for.
#pragma once

#include "bulk_stores.hpp"

struct bulk_store : bulk_stores<true, true> {};
SIMT_SUBJECT(bulk_store);
