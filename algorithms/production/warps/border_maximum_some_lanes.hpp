// Lanes beyond the border skip the shuffles, which name all lanes.
#pragma once

#include "border_maxima.hpp"

struct border_maximum_some_lanes : border_maxima<false> {};
SIMT_SUBJECT(border_maximum_some_lanes);
