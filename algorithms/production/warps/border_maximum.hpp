// Lanes beyond the border shuffle with the others.
#pragma once

#include "border_maxima.hpp"

struct border_maximum : border_maxima<true> {};
SIMT_SUBJECT(border_maximum);
