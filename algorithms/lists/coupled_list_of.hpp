// A sorted list with a lock for each node, taken hand over hand (lock coupling): Grote (2020),
// sections 2.2.2 and 5.3.2. A thread takes the lock of the next node, then gives back that of the
// one before, so it holds two for a moment. As a kernel, each thread inserts its key; as an object,
// it is a set.
#pragma once

#include "../locks/grote_locks.hpp"
#include "list_nodes.hpp"

template <class Lock>
struct coupled_list_of {
  static constexpr const char* spec = "set";

  typename Lock::shared shared;
  Lock locks[list_nodes::count];
  list_nodes nodes;

  SIMT_FN bool insert(int key) {
    int before = list_nodes::front;
    locks[before].lock(shared);
    int at = nodes[before].next;
    bool found = false;
    while (at != list_nodes::end && !found) {
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
