// The priority queue of Lotan and Shavit (Skiplist-based concurrent priority queues, IPDPS 2000)
// with time stamps, in a list without locks: an insert is done when its node has a stamp, and
// `delete_min` passes over nodes that have none, or one of after its start.
#pragma once

#include "stamped_nodes.hpp"

struct stamped_queue {
  static constexpr const char* spec = "priority_set";

  stamped_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    bool is_new = false;
    const int number = nodes.link(key, is_new);
    if (is_new) nodes.stamps[number].store(nodes.now(), simt::memory_order_release);
    return is_new;
  }
  SIMT_FN simt::maybe<int> delete_min() { return nodes.delete_min(); }
};
SIMT_SUBJECT(stamped_queue);
