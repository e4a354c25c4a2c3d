// As histogram, without a barrier that it needs.
#pragma once

#include "histograms.hpp"

struct histogram_no_barrier : histograms<nothing> {};
SIMT_SUBJECT(histogram_no_barrier);
