// A sorted list with one lock, or with one for each of its entry points: Grote (2020), section
// 5.3.3. As a kernel, each thread inserts its key; as an object, it is a set. `Nodes` is where the
// nodes are (list_nodes.hpp).
#pragma once

#include "../locks/grote_locks.hpp"
#include "list_nodes.hpp"

template <class Lock, class Nodes = list_nodes>
struct coarse_list_of {
  static constexpr const char* spec = "set";

  typename Lock::shared shared;
  Lock locks[Nodes::entry_points];
  Nodes nodes;

  SIMT_FN bool insert(int key) { return insert_behind(Nodes::front, key); }

  /// `front`: the entry point whose part of the list the key belongs to.
  SIMT_FN bool insert_behind(int front, int key) {
    locks[front].lock(shared);
    int before = front;
    int at = nodes[before].next;
    while (at != Nodes::end && nodes[at].key < key) {
      before = at;
      at = nodes[at].next;
    }
    const bool absent = at == Nodes::end || nodes[at].key != key;
    if (absent) {
      const int number = nodes.make(key);
      nodes[number].next = at;
      nodes[before].next = number;
    }
    locks[front].unlock(shared);
    return absent;
  }

  SIMT_FN void operator()() { insert(static_cast<int>(simt::grid_size() - simt::thread_rank())); }
  const char* check(const simt::launch_shape& shape) const {
    return nodes.has_all(shape.clients) ? nullptr : "a key is lost, or out of order";
  }
};
