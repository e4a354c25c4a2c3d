// Grote's ticket lock with strong accesses and the `syncwarp` pairing of listings 4.7 and 4.8.
#pragma once

#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp : syncwarp_ticket_lock {};
SIMT_SUBJECT(ticket_syncwarp);
