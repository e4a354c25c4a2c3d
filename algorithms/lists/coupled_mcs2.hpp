// Grote's sorted list with lock coupling: queue locks with two nodes for each thread.
#pragma once

#include "coupled_list_of.hpp"

struct coupled_mcs2 : coupled_list_of<grote::mcs2_lock> {};
SIMT_SUBJECT(coupled_mcs2);
