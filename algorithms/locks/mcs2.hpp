// Grote's queue lock with two nodes for each thread (section 4.2.2), with strong accesses.
#pragma once

#include "grote_locks.hpp"

struct mcs2 {
  grote::mcs2_lock::shared nodes;
  grote::mcs2_lock inner;

  SIMT_FN void lock() { inner.lock(nodes); }
  SIMT_FN void unlock() { inner.unlock(nodes); }
};
SIMT_SUBJECT(mcs2);
