// A reading of `marked_list`: the paper (III-A) does not say what `delete` does when it fails to
// mark. Here it says that the key is not there, which is right only if another one has deleted it:
// a node that was linked behind it meanwhile makes it fail, too.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_erase_once {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) { return nodes.insert(key); }
  SIMT_FN bool erase(int key) {
    const auto where = nodes.find(key);
    if (!where.has_key) return false;
    const int link = nodes[where.at].link();
    if (marked_nodes::is_marked(link)) return false;
    if (!nodes[where.at].change(link, marked_nodes::marked(link))) return false;
    nodes[where.before].change(marked_nodes::link_to(where.at), link);
    return true;
  }
  SIMT_FN bool contains(int key) { return nodes.contains(key); }
};
SIMT_SUBJECT(marked_list_erase_once);
