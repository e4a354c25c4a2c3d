// A reading of `marked_queue`, its broken twin: the mark that `delete_min` sets is that of the
// link, as the text says no other (III-D). Then others unlink the node, and insert the key again,
// before `delete` comes for it: it deletes the new node.
#pragma once

#include "../sets/marked_nodes.hpp"

struct marked_queue_one_mark : private marked_links {
  static constexpr const char* spec = "priority_set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN simt::maybe<int> delete_min() {
    int at = number_of(nodes[marked_nodes::first].link());
    while (at != marked_nodes::last) {
      const int link = nodes[at].link();
      if (!is_marked(link) && nodes[at].change(link, marked(link))) {
        const int key = nodes[at].key;
        nodes.erase(key);
        return key;
      }
      at = number_of(link);
    }
    return {};
  }
};
SIMT_SUBJECT(marked_queue_one_mark);
