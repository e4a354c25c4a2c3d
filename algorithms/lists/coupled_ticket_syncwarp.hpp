// Grote's sorted list with lock coupling: ticket locks with `syncwarp`s inside, as the thesis has
// them. Lanes hold one lock while they wait for another, and still all come to a `syncwarp` or
// exit.
#pragma once

#include "../locks/syncwarp_ticket_lock.hpp"
#include "coupled_list_of.hpp"

struct syncwarp_ticket_of_list {
  using shared = grote::nothing;

  syncwarp_ticket_lock ticket;

  SIMT_FN void lock(shared&) { ticket.lock(); }
  SIMT_FN void unlock(shared&) { ticket.unlock(); }
};

struct coupled_ticket_syncwarp : coupled_list_of<syncwarp_ticket_of_list> {};
SIMT_SUBJECT(coupled_ticket_syncwarp);
