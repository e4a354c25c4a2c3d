// The shuffle in the branch names the lanes of activemask.
#pragma once

#include "prefix_sums.hpp"

struct prefix_sum_activemask : prefix_sums<names_active> {};
SIMT_SUBJECT(prefix_sum_activemask);
