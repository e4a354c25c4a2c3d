// A kernel and one that depends on it, as the two halves of one grid: the second kernel is launched
// while the first one still runs. `waits_first`: it waits for the end of the first one before it
// reads what that has stored.
#pragma once

#include <simt/simt.hpp>

template <bool waits_first>
struct early_launches {
  static constexpr unsigned room = 2;
  int partition[room]{};
  int merged[room]{};
  simt::atomic<unsigned, simt::thread_scope_device> ended{0};

  /// griddepcontrol.wait: all blocks of the first kernel have ended.
  SIMT_FN void wait_for_first() {
    while (ended.load(simt::memory_order_acquire) != simt::block_count() / 2) {
    }
  }

  SIMT_FN void operator()() {
    const unsigned half = simt::block_count() / 2;
    const unsigned block = simt::block_index();
    if (block < half) {
      partition[block] = static_cast<int>(block) + 1;
      ended.fetch_add(1, simt::memory_order_release);
      return;
    }
    if constexpr (waits_first) wait_for_first();
    const int found = partition[block - half];
    if constexpr (!waits_first) wait_for_first();
    merged[block - half] = found;
  }

  bool check() const { return merged[0] == 1 && merged[1] == 2; }
};
