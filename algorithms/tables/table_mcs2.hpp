// Grote's hash table with a lock for each bucket: queue locks with two nodes for each thread.
#pragma once

#include "locked_table.hpp"

struct table_mcs2 : locked_table<grote::mcs2_lock> {};
SIMT_SUBJECT(table_mcs2);
