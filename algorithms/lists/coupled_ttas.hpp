// Grote's sorted list with lock coupling: test-and-test-and-set locks.
#pragma once

#include "coupled_list_of.hpp"

struct coupled_ttas : coupled_list_of<grote::ttas_lock> {};
SIMT_SUBJECT(coupled_ttas);
