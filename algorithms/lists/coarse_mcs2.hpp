// Grote's sorted list with one coarse lock: a queue lock with two nodes for each thread.
#pragma once

#include "coarse_list_of.hpp"

struct coarse_mcs2 : coarse_list_of<grote::mcs2_lock> {};
SIMT_SUBJECT(coarse_mcs2);
