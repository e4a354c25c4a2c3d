// The broken twin of `marked_queue` after the first edition of Herlihy and Shavit (The art of
// multiprocessor programming, 15.5, findAndMarkMin): at a node that another one has taken,
// `delete_min` does not go on to the next.
#pragma once

#include "taken_nodes.hpp"

struct marked_queue_stays {
  static constexpr const char* spec = "priority_set";

  taken_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN simt::maybe<int> delete_min() {
    int at = nodes.after(taken_nodes::first);
    while (at != taken_nodes::last) {
      if (nodes.is_taken(at)) continue;
      if (nodes.take(at)) {
        const int key = nodes[at].key;
        nodes.erase(key);
        return key;
      }
      at = nodes.after(at);
    }
    return {};
  }
};
SIMT_SUBJECT(marked_queue_stays);
