// The broken twin of `skip_list` that links a new node from its top level down: a walk comes down
// from a node that is not on level zero yet, and a node that is erased may come back.
#pragma once

#include "skip_nodes.hpp"

struct skip_list_top_down {
  static constexpr const char* spec = "set";

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      auto where = nodes.find(key);
      if (where.has_key) return false;
      if (mine == 0) {
        mine = nodes.allocate(key);
        nodes.lead(mine, where);
        for (int level = levels_by_key::top_of(key); level > 0; --level) {
          nodes.link(mine, key, level, where);
        }
        where = nodes.find(key);
        if (where.has_key) return false;
      }
      nodes[mine].next[0].store(skip_nodes::link_to(where.at[0]), simt::memory_order_release);
      if (nodes[where.before[0]].change(0, skip_nodes::link_to(where.at[0]),
                                        skip_nodes::link_to(mine))) {
        return true;
      }
    }
  }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(skip_list_top_down);
