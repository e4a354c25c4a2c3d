// The shuffle in the branch names the lanes that voted for it before the branch.
#pragma once

#include "prefix_sums.hpp"

struct prefix_sum : prefix_sums<names_voters> {};
SIMT_SUBJECT(prefix_sum);
