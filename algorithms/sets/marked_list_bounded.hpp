// `marked_list` with a bound on what a search passes: the keys from 1 on that are below the one
// looked for. So `contains` is wait-free (Misra and Chaudhuri, 2012, III-A).
#pragma once

#include "marked_nodes.hpp"
#include "search_steps.hpp"

struct marked_list_bounded {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    search_steps steps(key - 1);
    int at = marked_nodes::number_of(nodes[marked_nodes::first].link());
    int found = nodes[at].key;
    while (found < key) {
      steps.pass();
      at = marked_nodes::number_of(nodes[at].link());
      found = nodes[at].key;
    }
    return found == key && !marked_nodes::is_marked(nodes[at].link());
  }
};
SIMT_SUBJECT(marked_list_bounded);
