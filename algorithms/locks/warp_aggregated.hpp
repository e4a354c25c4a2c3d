// One lane of a warp competes for the lock, for all lanes that have come to it together. It holds
// the lock while they run their critical sections one after another; the `syncwarp`s hand on what
// the lanes before have written. In lockstep no lane waits for a lock that another of its warp has,
// so this is safe there, too. A section must not wait for another lane of its warp.
#pragma once

#include <simt/simt.hpp>

template <class Lock>
struct warp_aggregated {
  typename Lock::shared shared;
  Lock inner;

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
      simt::syncwarp(together);
    }
    if (competes) inner.unlock(shared);
  }
};
