// A sorted list with one lock: Grote (2020), section 5.3.3. As a kernel, each thread inserts its
// key; as an object, it is a set.
#pragma once

#include "../locks/grote_locks.hpp"
#include "list_nodes.hpp"

template <class Lock>
struct coarse_list_of {
  static constexpr const char* spec = "set";

  typename Lock::shared shared;
  Lock lock;
  list_nodes nodes;

  SIMT_FN bool insert(int key) {
    lock.lock(shared);
    int before = list_nodes::front;
    int at = nodes[before].next;
    while (at != list_nodes::end && nodes[at].key < key) {
      before = at;
      at = nodes[at].next;
    }
    const bool absent = at == list_nodes::end || nodes[at].key != key;
    if (absent) {
      const int number = nodes.make(key);
      nodes[number].next = at;
      nodes[before].next = number;
    }
    lock.unlock(shared);
    return absent;
  }

  SIMT_FN void operator()() { insert(static_cast<int>(simt::grid_size() - simt::thread_rank())); }
  const char* check(const simt::launch_shape& shape) const {
    return nodes.has_all(shape.clients) ? nullptr : "a key is lost, or out of order";
  }
};
