// Grote's sorted list with lock coupling: queue locks with one node for each thread, which holds
// two of them: broken.
#pragma once

#include "coupled_list_of.hpp"

struct coupled_mcs : coupled_list_of<grote::mcs_lock> {};
SIMT_SUBJECT(coupled_mcs);
