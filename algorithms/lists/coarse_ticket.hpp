// Grote's sorted list with one coarse lock: a ticket lock.
#pragma once

#include "coarse_list_of.hpp"

struct coarse_ticket : coarse_list_of<grote::ticket_lock> {};
SIMT_SUBJECT(coarse_ticket);
