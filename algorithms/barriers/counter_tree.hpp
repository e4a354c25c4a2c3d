// A barrier of blocks by a tree of counters (Stuart and Owens, 2011, sections 2.2 and 5, name it
// and give no listing). Node 1 is the root, the children of node n are nodes 2n and 2n + 1, and
// blocks are the leaves. Of the two that arrive at a node, the last one goes on to the node above.
// Who is the last one at the root opens the barrier. Counters only grow.
#pragma once

#include "block_barrier.hpp"

enum class climber { last, first };  // `first` in the broken twin

template <climber who, class Fences>
struct counter_tree : block_barrier {
  int arrived[most_blocks]{};  // at each node, in all phases
  int opened{0};               // the phases that are complete

  SIMT_FN void arrive_and_wait() {
    const int now = next_phase();
    simt::syncthreads();
    if (is_master()) {
      Fences::fence();
      if (climb(now)) {
        *static_cast<volatile int*>(&opened) = now;
      } else {
        while (*static_cast<volatile int*>(&opened) < now) {
        }
        Fences::fence();
      }
    }
    simt::syncthreads();
  }

 private:
  /// Whether the caller has come up to the root and beyond.
  SIMT_FN bool climb(int now) {
    const int before = 2 * now - (who == climber::last ? 1 : 2);
    for (unsigned node = (simt::block_count() + simt::block_index()) / 2; node > 0; node /= 2) {
      if (simt::atomicAdd(&arrived[node], 1) != before) return false;
      Fences::fence();
    }
    return true;
  }
};
