// The broken twin of `skip_list` whose `contains` is content with the key on an upper level, where
// a node that is erased may still be linked.
#pragma once

#include "skip_nodes.hpp"

struct skip_list_trusts_top {
  static constexpr const char* spec = "set";

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    int before = skip_nodes::first;
    for (int level = skip_nodes::levels - 1; level >= 0; --level) {
      int at = skip_nodes::number_of(nodes[before].link(level));
      while (nodes[at].key < key) {
        before = at;
        at = skip_nodes::number_of(nodes[at].link(level));
      }
      if (nodes[at].key == key) return level > 0 || !skip_nodes::is_marked(nodes[at].link(0));
    }
    return false;
  }
};
SIMT_SUBJECT(skip_list_trusts_top);
