// The lock of mcs_cas_fenced.hpp, with both words on lines of their own.
#pragma once

#include "apart_locks.hpp"

struct mcs_cas_fenced_apart {
  static constexpr int threads = simt::sized(8, simt::measured_threads);

  apart::mcs_lock queue;
  apart::mcs_lock::qnode nodes[1 + threads];

  SIMT_FN void lock() { queue.lock(nodes); }
  SIMT_FN void unlock() { queue.unlock(nodes); }
};
SIMT_SUBJECT(mcs_cas_fenced_apart);
