// Grote's sorted list with one coarse lock: a test-and-test-and-set lock.
#pragma once

#include "coarse_list_of.hpp"

struct coarse_ttas : coarse_list_of<grote::ttas_lock> {};
SIMT_SUBJECT(coarse_ttas);
