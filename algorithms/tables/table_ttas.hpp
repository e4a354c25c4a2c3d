// Grote's hash table with a lock for each bucket: test-and-test-and-set locks.
#pragma once

#include "locked_table.hpp"

struct table_ttas : locked_table<grote::ttas_lock> {};
SIMT_SUBJECT(table_ttas);
