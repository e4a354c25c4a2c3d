// The count is that of one side.
#pragma once

#include "handovers.hpp"

struct handover_own_side : handovers<1> {};
SIMT_SUBJECT(handover_own_side);
