// The broken twin of `marked_list` that its authors warn of (III-A): `erase` has no mark, and
// leads the node before around the one that it deletes. A neighbour that is deleted at the same
// time, or inserted, is lost.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_no_mark {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) {
    while (true) {
      const auto where = nodes.find(key);
      if (!where.has_key) return false;
      const int link = nodes[where.at].link();
      if (nodes[where.before].change(marked_nodes::link_to(where.at), link)) return true;
    }
  }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(marked_list_no_mark);
