// The broken twin of `marked_list` whose `insert` links behind a node that was marked since it was
// found: it leaves the mark as it is. The node is unlinked, and what was inserted with it.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_insert_behind {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      const auto where = nodes.find(key);
      if (where.has_key) return false;
      if (mine == 0) mine = nodes.allocate(key);
      nodes[mine].next.store(marked_nodes::link_to(where.at), simt::memory_order_release);
      const int link = nodes[where.before].link();
      if (marked_nodes::number_of(link) != where.at) continue;
      const int mark = link - marked_nodes::link_to(where.at);
      if (nodes[where.before].change(link, marked_nodes::link_to(mine) + mark)) return true;
    }
  }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(marked_list_insert_behind);
