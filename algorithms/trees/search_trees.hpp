// A binary search tree to which keys are only added: a leaf's empty link is set by `Link`
// (Cederman's thesis, 2011, figure 1.10).
#pragma once

#include <simt/simt.hpp>

/// The link is set if it is still empty.
struct links_by_cas {
  template <class Word>
  SIMT_FN static bool set(Word& link, int node) {
    int none = 0;
    return link.compare_exchange_strong(none, node, simt::memory_order_acq_rel);
  }
};
/// Broken: whoever has linked a node there loses it.
struct links_by_store {
  template <class Word>
  SIMT_FN static bool set(Word& link, int node) {
    link.store(node, simt::memory_order_release);
    return true;
  }
};

template <class Link>
struct search_tree {
  static constexpr const char* spec = "set";
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 1);  // nodes of a thread: one for each insertion

  using word = simt::atomic<int, simt::thread_scope_device>;
  struct node {
    int key{0};
    word child[2]{};  // numbers of nodes; 0: none
  };

  node nodes[1 + threads * each];
  int used[threads]{};
  word root{0};

  SIMT_FN bool insert(int key) {
    const int me = static_cast<int>(simt::thread_rank());
    const int mine = 1 + me * each + used[me]++;
    nodes[mine].key = key;
    word* link = &root;
    while (true) {
      const int there = link->load(simt::memory_order_acquire);
      if (there == 0) {
        if (Link::set(*link, mine)) return true;
        continue;
      }
      if (nodes[there].key == key) return false;
      link = &nodes[there].child[key > nodes[there].key ? 1 : 0];
    }
  }
  SIMT_FN bool contains(int key) {
    int at = root.load(simt::memory_order_acquire);
    while (at != 0 && nodes[at].key != key) {
      at = nodes[at].child[key > nodes[at].key ? 1 : 0].load(simt::memory_order_acquire);
    }
    return at != 0;
  }
};
