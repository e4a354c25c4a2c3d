// Grote's locks (2020, chapter 4) as his listings have them, for what is made of several locks:
// compare-and-swap, fences and exchange, `syncwarp`s in the ticket lock, queue locks that spin by
// `atomicCAS`. Loads that he spins on are strong, and the queue locks have the fences of
// mcs_cas_fenced.hpp. (grote_locks.hpp has the same locks with acquire and release.)
#pragma once

#include "grote_locks.hpp"
#include "mcs_cas_fenced.hpp"
#include "syncwarp_ticket_lock.hpp"
#include "tas.hpp"
#include "ttas.hpp"

namespace grote {

/// A lock that has nothing in common with others.
template <class Lock>
struct by_itself {
  using shared = nothing;

  Lock own;

  SIMT_FN void lock(shared&) { own.lock(); }
  SIMT_FN void unlock(shared&) { own.unlock(); }
};

using tas_listing = by_itself<tas>;
using ttas_listing = by_itself<ttas>;
using ticket_listing = by_itself<syncwarp_ticket_lock>;

struct mcs_listing {
  struct shared {
    mcs_cas_fenced_queue::qnode nodes[1 + threads];
  };

  mcs_cas_fenced_queue queue;

  SIMT_FN void lock(shared& all) {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    queue.wait_turn(all.nodes, slot, queue.doorway(all.nodes, slot));
  }
  SIMT_FN void unlock(shared& all) { queue.unlock(all.nodes); }
};

/// Section 4.2.2: thread i has the nodes 2 i + 1 and 2 i + 2.
struct mcs2_listing {
  struct shared {
    mcs_cas_fenced_queue::qnode nodes[1 + 2 * threads];
    int active[1 + 2 * threads]{};  // of a node: used by its own thread alone
  };

  mcs_cas_fenced_queue queue;

  SIMT_FN void lock(shared& all) {
    int slot = 2 * static_cast<int>(simt::thread_rank()) + 1;
    if (all.active[slot] != 0) ++slot;
    all.active[slot] = 1;
    queue.wait_turn(all.nodes, slot, queue.doorway(all.nodes, slot));
  }
  SIMT_FN void unlock(shared& all) {
    const int slot = queue.head;
    queue.unlock(all.nodes);
    all.active[slot] = 0;
  }
};

}  // namespace grote
