// A histogram by atomics, in shared memory first.
#pragma once

#include "histograms.hpp"

struct histogram : histograms<barrier> {};
SIMT_SUBJECT(histogram);
