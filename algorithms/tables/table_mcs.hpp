// Grote's hash table with a lock for each bucket: queue locks: a thread holds one at a time, so one
// node for each thread is enough.
#pragma once

#include "locked_table.hpp"

struct table_mcs : locked_table<grote::mcs_lock> {};
SIMT_SUBJECT(table_mcs);
