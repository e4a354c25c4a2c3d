// Sorted list with lock coupling, of queue locks with two nodes for each thread in which who need
// not wait passes the waiting loop all the same: many times as fast on a GPU (docs/findings.md).
#pragma once

#include "coupled_list_of.hpp"

struct coupled_mcs2_unbranched : coupled_list_of<grote::unbranched_mcs2_lock> {};
SIMT_SUBJECT(coupled_mcs2_unbranched);
