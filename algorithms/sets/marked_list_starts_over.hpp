// A broken twin of `marked_list`: `contains` unlinks marked nodes on its way, as insert and erase
// do, and starts over if somebody else was faster. How often, others decide: it is lock-free and
// not wait-free.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_starts_over {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    int before = marked_nodes::first;
    int at = marked_nodes::number_of(nodes[before].link());
    while (true) {
      const int link = nodes[at].link();
      if (!marked_nodes::is_marked(link)) {
        const int found = nodes[at].key;
        if (found >= key) return found == key;
        before = at;
        at = marked_nodes::number_of(link);
      } else if (nodes[before].change(marked_nodes::link_to(at),
                                      marked_nodes::link_to(marked_nodes::number_of(link)))) {
        at = marked_nodes::number_of(link);
      } else {
        before = marked_nodes::first;
        at = marked_nodes::number_of(nodes[before].link());
      }
    }
  }
};
SIMT_SUBJECT(marked_list_starts_over);
