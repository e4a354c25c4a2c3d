// Grote's locks with less competition: one lane of each warp takes a ticket lock for all of them.
#pragma once

#include "grote_locks.hpp"
#include "warp_aggregated.hpp"

struct ticket_aggregated : warp_aggregated<grote::ticket_lock> {};
SIMT_SUBJECT(ticket_aggregated);
