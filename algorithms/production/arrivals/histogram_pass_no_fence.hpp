// No fence between the histogram and the counter.
#pragma once

#include "histogram_passes.hpp"

struct histogram_pass_no_fence : histogram_passes<unfenced_pass> {};
SIMT_SUBJECT(histogram_pass_no_fence);
