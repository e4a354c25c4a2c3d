// Load-linked and store-conditional, made of compare-and-swap and a tag that each store raises
// (Michael, Practical lock-free and wait-free LL/SC/VL implementations using 64-bit CAS, DISC
// 2004). As an object: `ll` loads, `sc` stores unless another `sc` has succeeded since the caller's
// last `ll`.
#pragma once

#include <simt/simt.hpp>

SIMT_OPERATION(ll);
SIMT_OPERATION(sc);

/// `tags`: how many there are before the first comes again. `may_fail`: stores fail without a cause
/// at times, as on some CPUs.
template <int tags, bool may_fail>
struct load_linked_of {
  using operations = simt::operation_list<simt_operation_ll, simt_operation_sc>;
  static constexpr int threads = 3;
  static constexpr int no_link = -1;

  simt::atomic<int, simt::thread_scope_device> word{0};  // the value times `tags`, plus the tag
  int links[threads] = {no_link, no_link, no_link};

  SIMT_FN int ll() {
    const int seen = word.load(simt::memory_order_acquire);
    links[simt::thread_rank()] = seen;
    return seen / tags;
  }
  SIMT_FN bool sc(int value) {
    int seen = links[simt::thread_rank()];
    links[simt::thread_rank()] = no_link;
    if (seen == no_link) return false;
    if (may_fail && simt::choose(2) != 0) return false;
    const int tag = (seen % tags + 1) % tags;
    return word.compare_exchange_strong(seen, value * tags + tag, simt::memory_order_acq_rel);
  }
};
