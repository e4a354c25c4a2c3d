// A fence between the histogram and the counter.
#pragma once

#include "histogram_passes.hpp"

struct histogram_pass : histogram_passes<fenced_pass> {};
SIMT_SUBJECT(histogram_pass);
