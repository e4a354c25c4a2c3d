// All blocks meet as often as the longest segment has steps.
#pragma once

#include "uneven_segments.hpp"

struct uneven_segment : uneven_segments<true> {};
SIMT_SUBJECT(uneven_segment);
