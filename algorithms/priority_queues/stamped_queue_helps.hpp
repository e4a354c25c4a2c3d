// `stamped_queue` with an insert that leaves nothing half done: it stamps the node that it finds,
// if that has no stamp yet, and erases it and starts over if it has been taken.
#pragma once

#include "stamped_nodes.hpp"

struct stamped_queue_helps {
  static constexpr const char* spec = "priority_set";

  stamped_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    while (true) {
      bool is_new = false;
      const int number = nodes.link(key, is_new);
      int none = 0;
      nodes.stamps[number].compare_exchange_strong(none, nodes.now(), simt::memory_order_acq_rel,
                                                   simt::memory_order_relaxed);
      if (is_new) return true;
      if (!nodes.is_taken(number)) return false;
      nodes.unlink(number);
    }
  }
  SIMT_FN simt::maybe<int> delete_min() { return nodes.delete_min(); }
};
SIMT_SUBJECT(stamped_queue_helps);
