// Waiting for an mbarrier.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

/// Until the phase of that parity is complete.
SIMT_FN void wait_for_phase(simt::mbarrier& barrier, unsigned parity) {
  while (!simt::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
