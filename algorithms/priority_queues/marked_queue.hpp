// The priority queue without locks of Misra and Chaudhuri (Performance evaluation of concurrent
// lock-free data structures on GPUs, ICPADS 2012, III-D), on a list: `delete_min` takes the first
// node that nobody has taken, by a mark of its own, and erases its key. That the shortcuts of a
// skip list are missing changes nothing: `delete_min` walks along level zero.
#pragma once

#include "taken_nodes.hpp"

struct marked_queue {
  static constexpr const char* spec = "priority_set";

  taken_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN simt::maybe<int> delete_min() {
    int at = nodes.after(taken_nodes::first);
    while (at != taken_nodes::last) {
      if (!nodes.is_taken(at) && nodes.take(at)) {
        const int key = nodes[at].key;
        nodes.erase(key);
        return key;
      }
      at = nodes.after(at);
    }
    return {};
  }
};
SIMT_SUBJECT(marked_queue);
