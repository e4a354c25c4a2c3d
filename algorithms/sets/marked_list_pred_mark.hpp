// The broken twin of `marked_list` whose `contains` tests the mark of the link that led to the
// node, which is that of the node before, as the hash table that its authors published does.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_pred_mark {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    int link = nodes[marked_nodes::first].link();
    int at = marked_nodes::number_of(link);
    while (nodes[at].key < key) {
      link = nodes[at].link();
      at = marked_nodes::number_of(link);
    }
    return nodes[at].key == key && !marked_nodes::is_marked(link);
  }
};
SIMT_SUBJECT(marked_list_pred_mark);
