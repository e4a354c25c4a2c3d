// How many refer to a node that is used again when nobody does (Valois, Lock-free linked lists
// using compare-and-swap, PODC 1995). `corrected`: the count and the claim to a node that nobody
// refers to are one word and change together (Michael and Scott, Correction of a memory management
// method for lock-free data structures, TR 599, 1995).
#pragma once

#include <simt/simt.hpp>

template <bool corrected = true>
class reference_count {
 public:
  /// The node is taken, which nobody else can do. One reference, and no claim.
  SIMT_FN void begin() { count_.fetch_add(1, order); }
  SIMT_FN void add() { count_.fetch_add(2, order); }
  /// One reference less. Whether the caller claims the node: to give it back is then up to it.
  SIMT_FN bool drop() {
    if (!corrected) {
      if (count_.fetch_sub(2, order) != 2) return false;
      return (count_.fetch_or(1, order) & 1) == 0;
    }
    int old = count_.load(simt::memory_order_acquire);
    while (!count_.compare_exchange_strong(old, old == 2 ? 1 : old - 2, order)) {
    }
    return old == 2;
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;

  // Twice the references, plus 1 if the node is claimed: free, or about to be.
  simt::atomic<int, simt::thread_scope_device> count_{1};
};
