// A sorted list with a lock for each node, taken hand over hand (lock coupling): Grote (2020),
// sections 2.2.2 and 5.3.2. A thread takes the lock of the next node, then gives back that of the
// one before, so it holds two for a moment. As a kernel, each thread inserts its key; as an object,
// it is a set. `Nodes` is where the nodes are (list_nodes.hpp).
#pragma once

#include "../locks/grote_locks.hpp"
#include "list_nodes.hpp"

template <class Lock, class Nodes = list_nodes>
struct coupled_list_of {
  static constexpr const char* spec = "set";

  typename Lock::shared shared;
  Lock locks[Nodes::count];
  Nodes nodes;

  SIMT_FN bool insert(int key) { return insert_behind(Nodes::front, key); }

  /// `front`: a node that is there for good, and whose key is less.
  SIMT_FN bool insert_behind(int front, int key) {
    int before = front;
    locks[before].lock(shared);
    int at = nodes[before].next;
    bool found = false;
    while (at != Nodes::end && !found) {
      locks[at].lock(shared);
      if (nodes[at].key >= key) {
        found = true;
      } else {
        locks[before].unlock(shared);
        before = at;
        at = nodes[at].next;
      }
    }
    const bool absent = !found || nodes[at].key != key;
    if (absent) {
      const int number = nodes.make(key);
      nodes[number].next = at;
      nodes[before].next = number;
    }
    if (found) locks[at].unlock(shared);
    locks[before].unlock(shared);
    return absent;
  }

  /// Descending: the first thread has the greatest key, and the others pass it.
  SIMT_FN void operator()() { insert(static_cast<int>(simt::grid_size() - simt::thread_rank())); }
  const char* check(const simt::launch_shape& shape) const {
    return nodes.has_all(shape.clients) ? nullptr : "a key is lost, or out of order";
  }
};
