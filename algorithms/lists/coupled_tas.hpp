// Grote's sorted list with lock coupling: test-and-set locks.
#pragma once

#include "coupled_list_of.hpp"

struct coupled_tas : coupled_list_of<grote::tas_lock> {};
SIMT_SUBJECT(coupled_tas);
