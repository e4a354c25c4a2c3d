// Treiber's stack with reference counts, as Michael and Scott (1995) corrected them.
#pragma once

#include "counted_stacks.hpp"

struct treiber_counted : counted_stack<true> {};
SIMT_SUBJECT(treiber_counted);
