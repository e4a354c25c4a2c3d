// The broken twin of `skip_list` that marks a node on level zero first. Until its upper level is
// marked, walks come down from it, and can change nothing behind it: they wait.
#pragma once

#include "skip_nodes.hpp"

struct skip_list_bottom_first {
  static constexpr const char* spec = "set";

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) {
    const auto where = nodes.find(key);
    if (!where.has_key) return false;
    auto& victim = nodes[where.at[0]];
    int seen = victim.link(0);
    while (!skip_nodes::is_marked(seen)) {
      if (victim.change(0, seen, skip_nodes::marked(seen))) {
        for (int level = 1; level <= levels_by_key::top_of(key); ++level) victim.mark(level);
        nodes.find(key);
        return true;
      }
      seen = victim.link(0);
    }
    return false;
  }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(skip_list_bottom_first);
