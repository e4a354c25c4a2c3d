// Grote's sorted list with one coarse lock: a queue lock.
#pragma once

#include "coarse_list_of.hpp"

struct coarse_mcs : coarse_list_of<grote::mcs_lock> {};
SIMT_SUBJECT(coarse_mcs);
