// `skip_list` with a bound on what a search passes: on each level each of four keys once, since it
// passes marked nodes with greater keys, too. So `contains` is wait-free. Misra and Chaudhuri
// (2012) follow the first edition of their book, whose search waits: `skip_list_waits`.
#pragma once

#include "search_steps.hpp"
#include "skip_nodes.hpp"

struct skip_list_bounded {
  static constexpr const char* spec = "set";
  static constexpr int keys = 4;

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    search_steps steps(skip_nodes::levels * keys);
    int before = skip_nodes::first;
    int at = skip_nodes::first;
    for (int level = skip_nodes::levels - 1; level >= 0; --level) {
      at = skip_nodes::number_of(nodes[before].link(level));
      while (true) {
        const int link = nodes[at].link(level);
        if (!skip_nodes::is_marked(link)) {
          if (nodes[at].key >= key) break;
          before = at;
        }
        steps.pass();
        at = skip_nodes::number_of(link);
      }
    }
    return nodes[at].key == key;
  }
};
SIMT_SUBJECT(skip_list_bounded);
