// Grote's sorted list with one coarse lock: a test-and-set lock.
#pragma once

#include "coarse_list_of.hpp"

struct coarse_tas : coarse_list_of<grote::tas_lock> {};
SIMT_SUBJECT(coarse_tas);
