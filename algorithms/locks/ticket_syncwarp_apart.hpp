// The lock of ticket_syncwarp.hpp, with both words on lines of their own.
#pragma once

#include "apart_locks.hpp"

struct ticket_syncwarp_apart : apart::ticket_lock {};
SIMT_SUBJECT(ticket_syncwarp_apart);
