// The broken twin of tas_aggregated: the lane that holds the lock gives it back as soon as it has
// run its own critical section, while the others of its warp still have theirs to run.
#pragma once

#include "grote_locks.hpp"

struct tas_aggregated_early {
  grote::tas_lock::shared shared;
  grote::tas_lock inner;

  template <class Section>
  SIMT_FN void locked(Section section) {
    const unsigned together = simt::activemask();
    const unsigned me = 1U << simt::lane_index();
    const bool competes = (together & (me - 1)) == 0;
    if (competes) inner.lock(shared);
    simt::syncwarp(together);
    for (unsigned left = together; left != 0; left &= left - 1) {
      const unsigned next = left & (0U - left);
      if (me == next) section();
      if (me == next && competes) inner.unlock(shared);
      simt::syncwarp(together);
    }
  }
};
SIMT_SUBJECT(tas_aggregated_early);
