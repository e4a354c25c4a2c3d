// The broken twin of `skip_list` whose nodes come from a pool: `erase` gives its node back once it
// is unlinked, although an insert may still link it on its upper level. Then the list leads to a
// node that is not in use, and no hazard pointer would help.
#pragma once

#include "skip_nodes.hpp"

/// Nodes that are used again.
struct skip_nodes_again : levels_by_key {
  static constexpr int first = 1;
  static constexpr int last = 2;

  simt::pool<skip_node, 8> all;

  SIMT_FN void prepare() {
    all.allocate();
    all.allocate();
  }
  SIMT_FN int take() { return all.index_of(all.allocate()); }
  SIMT_FN skip_node& operator[](int number) { return all.at(number); }
};

struct skip_list_retire_early {
  static constexpr const char* spec = "set";
  using list = skip_nodes_of<skip_nodes_again>;

  list nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) {
    const auto where = nodes.find(key);
    if (!where.has_key) return false;
    skip_node& victim = nodes[where.at[0]];
    for (int level = levels_by_key::top_of(key); level > 0; --level) victim.mark(level);
    int seen = victim.link(0);
    while (!list::is_marked(seen)) {
      if (victim.change(0, seen, list::marked(seen))) {
        nodes.find(key);
        nodes.nodes.all.retire(&victim);
        return true;
      }
      seen = victim.link(0);
    }
    return false;
  }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(skip_list_retire_early);
