// Grote's hash table with a lock for each bucket: test-and-set locks.
#pragma once

#include "locked_table.hpp"

struct table_tas : locked_table<grote::tas_lock> {};
SIMT_SUBJECT(table_tas);
