// `skip_list` with `contains` as in the first edition of Herlihy and Shavit (The art of
// multiprocessor programming, figure 14.13): at a marked node it reads the link before it again,
// until somebody has unlinked the node.
#pragma once

#include "skip_nodes.hpp"

struct skip_list_waits {
  static constexpr const char* spec = "set";

  skip_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) { return nodes.erase(key); }
  SIMT_FN bool contains(int key) {
    int before = skip_nodes::first;
    int at = skip_nodes::first;
    for (int level = skip_nodes::levels - 1; level >= 0; --level) {
      at = after(before, level);
      while (true) {
        int link = nodes[at].link(level);
        while (skip_nodes::is_marked(link)) {
          at = after(before, level);
          link = nodes[at].link(level);
        }
        if (nodes[at].key >= key) break;
        before = at;
        at = skip_nodes::number_of(link);
      }
    }
    return nodes[at].key == key;
  }

 private:
  SIMT_FN int after(int number, int level) {
    return skip_nodes::number_of(nodes[number].link(level));
  }
};
SIMT_SUBJECT(skip_list_waits);
