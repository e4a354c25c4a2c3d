// Each block meets the others as often as its own segment has steps.
#pragma once

#include "uneven_segments.hpp"

struct uneven_segment_own_steps : uneven_segments<false> {};
SIMT_SUBJECT(uneven_segment_own_steps);
