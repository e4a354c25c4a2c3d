// Nodes that are used again, guarded by hazard pointers (Michael, Hazard pointers: safe memory
// reclamation for lock-free objects, IEEE TPDS 2004): who is going to access a node that others may
// remove says so, and looks again whether it is still there; a node that was removed is used again
// only when nobody says so.
//
// A hazard is set before the second look, and looked for after the removal. All four are
// `seq_cst`, or each side might miss the other.
#pragma once

#include <simt/simt.hpp>

#include "nodes.hpp"

template <int Slots>
struct hazard_nodes {
  static constexpr int threads = fresh_nodes::threads;
  static constexpr int each = fresh_nodes::each;

  using node = fresh_nodes::node;

  fresh_nodes fresh;
  int spare[threads][each]{};  // of each thread: what it has removed and not used again
  int spares[threads]{};
  simt::atomic<int, simt::thread_scope_device> hazard[threads][Slots]{};  // 0: none

  /// A node that nobody else accesses, of those that the calling thread has retired, or a fresh
  /// one.
  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    for (int i = 0; i < spares[me]; ++i) {
      const int candidate = spare[me][i];
      if (is_hazard(candidate)) continue;
      spare[me][i] = spare[me][--spares[me]];
      return candidate;
    }
    return fresh.allocate();
  }
  SIMT_FN void retire(int number) {
    const int me = static_cast<int>(simt::thread_rank());
    spare[me][spares[me]++] = number;
  }

  /// The caller is going to access the node; not safe before it has been seen again.
  SIMT_FN void protect(int slot, int number) {
    hazard[simt::thread_rank()][slot].store(number, simt::memory_order_seq_cst);
  }
  SIMT_FN void release() {
    for (int slot = 0; slot < Slots; ++slot) {
      hazard[simt::thread_rank()][slot].store(0, simt::memory_order_release);
    }
  }

  SIMT_FN node& operator[](int number) { return fresh[number]; }

 private:
  SIMT_FN bool is_hazard(int number) {
    for (unsigned other = 0; other < simt::grid_size(); ++other) {
      if (other == simt::thread_rank()) continue;
      for (int slot = 0; slot < Slots; ++slot) {
        if (hazard[other][slot].load(simt::memory_order_seq_cst) == number) return true;
      }
    }
    return false;
  }
};
