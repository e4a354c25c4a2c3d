// Grote's sorted list with lock coupling: ticket locks.
#pragma once

#include "coupled_list_of.hpp"

struct coupled_ticket : coupled_list_of<grote::ticket_lock> {};
SIMT_SUBJECT(coupled_ticket);
