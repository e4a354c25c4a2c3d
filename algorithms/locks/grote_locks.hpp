// The locks of Grote, Lock-based data structures on GPUs with independent thread scheduling (TU
// Berlin, 2020), chapter 4, with strong accesses, for what is made of several locks. `shared` is
// what all locks of a structure have in common: nothing, or the queue nodes (section 4.2.1).
#pragma once

#include <simt/simt.hpp>

namespace grote {

template <class T>
using word = simt::atomic<T, simt::thread_scope_device>;

/// Threads that may use a queue lock.
inline constexpr int threads = simt::sized(8, simt::measured_threads);

struct nothing {};

struct tas_lock {
  using shared = nothing;

  word<int> mutex{0};

  SIMT_FN void lock(shared&) {
    while (mutex.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }
  SIMT_FN void unlock(shared&) { mutex.store(0, simt::memory_order_release); }
};

struct ttas_lock {
  using shared = nothing;

  word<int> mutex{0};

  SIMT_FN void lock(shared&) {
    while (true) {
      while (mutex.load(simt::memory_order_relaxed) != 0) {
      }
      if (mutex.exchange(1, simt::memory_order_acquire) == 0) return;
    }
  }
  SIMT_FN void unlock(shared&) { mutex.store(0, simt::memory_order_release); }
};

struct ticket_lock {
  using shared = nothing;

  word<unsigned> current{0};
  word<unsigned> next{0};

  SIMT_FN void lock(shared&) {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    while (current.load(simt::memory_order_acquire) != mine) {
    }
  }
  SIMT_FN void unlock(shared&) { current.fetch_add(1, simt::memory_order_release); }
};

/// Listings 4.9 to 4.11. Node 0 is none, thread i has node i + 1, and it has that one node for all
/// locks: it must not hold two.
struct mcs_lock {
  struct node {
    word<int> waiting{0};
    word<int> next{0};
  };
  struct shared {
    node nodes[1 + threads];
  };

  word<int> tail{0};
  int head{0};  // the holder's node

  SIMT_FN void lock(shared& queue) {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    enter(queue.nodes, slot);
  }
  SIMT_FN void unlock(shared& queue) { leave(queue.nodes, head); }

  SIMT_FN void enter(node* nodes, int slot) {
    nodes[slot].next.store(0, simt::memory_order_relaxed);
    nodes[slot].waiting.store(1, simt::memory_order_relaxed);
    const int before = tail.exchange(slot, simt::memory_order_acq_rel);
    if (before != 0) {
      nodes[before].next.store(slot, simt::memory_order_release);
      while (nodes[slot].waiting.load(simt::memory_order_acquire) != 0) {
      }
    }
    head = slot;
  }
  /// The same without a branch around the loop: who need not wait passes it, too. Behind such a
  /// branch lanes that have the lock may be kept until those of their warp that wait have it.
  SIMT_FN void enter_unbranched(node* nodes, int slot) {
    nodes[slot].next.store(0, simt::memory_order_relaxed);
    const int before = tail.exchange(slot, simt::memory_order_acq_rel);
    nodes[slot].waiting.store(before != 0 ? 1 : 0, simt::memory_order_relaxed);
    if (before != 0) nodes[before].next.store(slot, simt::memory_order_release);
    while (nodes[slot].waiting.load(simt::memory_order_acquire) != 0) {
    }
    head = slot;
  }
  SIMT_FN void leave(node* nodes, int slot) {
    int after = nodes[slot].next.load(simt::memory_order_acquire);
    if (after == 0) {
      int expected = slot;
      if (tail.compare_exchange_strong(expected, 0, simt::memory_order_acq_rel,
                                       simt::memory_order_relaxed)) {
        return;
      }
      while ((after = nodes[slot].next.load(simt::memory_order_acquire)) == 0) {
      }
    }
    nodes[after].waiting.store(0, simt::memory_order_release);
  }
};

/// Section 4.2.2: thread i has the nodes 2 i + 1 and 2 i + 2, so it may hold two locks.
struct mcs2_lock {
  struct shared {
    mcs_lock::node nodes[1 + 2 * threads];
    int active[1 + 2 * threads]{};  // of a node: used by its own thread alone
  };

  mcs_lock queue;

  SIMT_FN void lock(shared& all) { queue.enter(all.nodes, free_slot(all)); }
  SIMT_FN void unlock(shared& all) {
    const int slot = queue.head;
    queue.leave(all.nodes, slot);
    all.active[slot] = 0;
  }
  SIMT_FN static int free_slot(shared& all) {
    int slot = 2 * static_cast<int>(simt::thread_rank()) + 1;
    if (all.active[slot] != 0) ++slot;
    all.active[slot] = 1;
    return slot;
  }
};

struct unbranched_mcs2_lock : mcs2_lock {
  SIMT_FN void lock(shared& all) { queue.enter_unbranched(all.nodes, free_slot(all)); }
};

}  // namespace grote
