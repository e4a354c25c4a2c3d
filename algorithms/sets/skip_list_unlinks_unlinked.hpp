// The broken twin of `skip_list` whose erase unlinks its node level by level, and takes a level on
// which the node is not for one that is done. An insert may not have linked that level yet. It does
// so later, when the node has been given back.
#pragma once

#include "skip_list_retire_early.hpp"

struct skip_list_unlinks_unlinked {
  static constexpr const char* spec = "set";
  using list = skip_nodes_of<skip_nodes_again>;

  list nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) {
    const auto where = nodes.find(key);
    if (!where.has_key) return false;
    const int number = where.at[0];
    skip_node& victim = nodes[number];
    for (int level = levels_by_key::top_of(key); level > 0; --level) victim.mark(level);
    int seen = victim.link(0);
    while (!list::is_marked(seen)) {
      if (victim.change(0, seen, list::marked(seen))) {
        for (int level = levels_by_key::top_of(key); level >= 0; --level) unlink(number, level);
        nodes.nodes.all.retire(&victim);
        return true;
      }
      seen = victim.link(0);
    }
    return false;
  }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }

 private:
  SIMT_FN void unlink(int victim, int level) {
    while (true) {
      int before = list::first;
      int at = list::number_of(nodes[before].link(level));
      while (at != victim && at != list::last) {
        before = at;
        at = list::number_of(nodes[at].link(level));
      }
      if (at == list::last) return;
      const int behind = list::number_of(nodes[victim].link(level));
      if (nodes[before].change(level, list::link_to(victim), list::link_to(behind))) return;
    }
  }
};
SIMT_SUBJECT(skip_list_unlinks_unlinked);
