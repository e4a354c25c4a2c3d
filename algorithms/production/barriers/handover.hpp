// The count is that of both sides.
#pragma once

#include "handovers.hpp"

struct handover : handovers<2> {};
SIMT_SUBJECT(handover);
