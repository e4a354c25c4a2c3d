// Nodes that are used again, guarded by hazard pointers (Michael, Hazard pointers: safe memory
// reclamation for lock-free objects, IEEE TPDS 2004): who is going to access a node that others may
// remove says so, and looks again whether it is still there; a node that was removed is retired,
// and so used again, only when nobody says so.
//
// A hazard is set before the second look, and looked for after the removal. All four are
// `seq_cst`, or each side might miss the other.
//
// In `warpcheck measure` each thread has nodes of its own in place of a pool: else threads would
// compete for the pool's words, and these would be what is measured.
//
// With the policy `reuse` each access to a node that is not in use is found. Twins that are to show
// what comes of such an access have `type_stable`.
#pragma once

#include <type_traits>

#include <simt/simt.hpp>

/// Nodes with the interface of a pool. A thread takes those that it has retired before fresh ones.
/// It keeps as many as it had at first; others are not used again.
template <class Node, int Threads, int Each>
struct nodes_of_threads {
  Node nodes[1 + Threads * Each];
  int used[Threads]{};
  int spare[Threads][Each]{};
  int spares[Threads]{};

  SIMT_FN Node* allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    if (spares[me] != 0) return &nodes[spare[me][--spares[me]]];
    simt::check(used[me] < Each, "no node is left");
    return &nodes[1 + me * Each + used[me]++];
  }
  SIMT_FN void retire(Node* node) {
    const int me = static_cast<int>(simt::thread_rank());
    if (spares[me] < Each) spare[me][spares[me]++] = index_of(node);
  }
  SIMT_FN int index_of(const Node* node) const { return static_cast<int>(node - nodes); }
  SIMT_FN Node& at(int number) { return nodes[number]; }
};

template <int Slots, simt::pool_policy policy = simt::pool_policy::reuse>
struct hazard_nodes {
  static constexpr bool is_measured = simt::sized(0, 1) != 0;
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 8);  // nodes that a thread keeps until nobody
                                                  // accesses them

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};  // the number of a node; 0: none
  };

  std::conditional_t<is_measured, nodes_of_threads<node, threads, each>,
                     simt::pool<node, 1 + threads * each, policy>>
      nodes;
  int removed[threads][each]{};  // of each thread: nodes that it is going to retire
  int removals[threads]{};
  simt::atomic<int, simt::thread_scope_device> hazard[threads][Slots]{};  // 0: none

  /// A node that nobody accesses. Retires one of those that the calling thread has removed, if it
  /// may.
  SIMT_FN int allocate() {
    retire_one();
    return nodes.index_of(nodes.allocate());
  }
  /// The node has been removed: it is to be retired.
  SIMT_FN void remove(int number) {
    const int me = static_cast<int>(simt::thread_rank());
    if constexpr (is_measured) {
      while (removals[me] == each) retire_one();
    }
    removed[me][removals[me]++] = number;
  }
  /// The node was not used, and nobody else has seen it.
  SIMT_FN void give_back(int number) { nodes.retire(&nodes.at(number)); }

  /// The caller is going to access the node; not safe before it has been seen again.
  SIMT_FN void protect(int slot, int number) {
    hazard[simt::thread_rank()][slot].store(number, simt::memory_order_seq_cst);
  }
  SIMT_FN void release() {
    for (int slot = 0; slot < Slots; ++slot) {
      hazard[simt::thread_rank()][slot].store(0, simt::memory_order_release);
    }
  }

  SIMT_FN node& operator[](int number) { return nodes.at(number); }

 private:
  SIMT_FN void retire_one() {
    const int me = static_cast<int>(simt::thread_rank());
    for (int i = 0; i < removals[me]; ++i) {
      const int candidate = removed[me][i];
      if (is_hazard(candidate)) continue;
      removed[me][i] = removed[me][--removals[me]];
      nodes.retire(&nodes.at(candidate));
      break;
    }
  }
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
