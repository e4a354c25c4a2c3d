// The shuffle in the branch names all lanes.
#pragma once

#include "prefix_sums.hpp"

struct prefix_sum_full_mask : prefix_sums<names_all> {};
SIMT_SUBJECT(prefix_sum_full_mask);
