// Grote's hash table with a lock for each bucket: ticket locks.
#pragma once

#include "locked_table.hpp"

struct table_ticket : locked_table<grote::ticket_lock> {};
SIMT_SUBJECT(table_ticket);
