// A broken twin of `michael_list_hazard`: it names the node that it is going to access, and does
// not look again whether that node is still in the list. It may have been retired before.
#pragma once

#include "michael_nodes.hpp"

struct michael_list_unvalidated {
  static constexpr const char* spec = "set";

  michael_nodes<hazard_nodes<2>, false> list;

  SIMT_FN bool insert(int key) {
    const bool inserted = list.insert(key);
    list.nodes.release();
    return inserted;
  }
  SIMT_FN bool erase(int key) {
    const bool erased = list.erase(key);
    list.nodes.release();
    return erased;
  }
  SIMT_FN bool contains(int key) {
    const bool found = list.find(key).has_key;
    list.nodes.release();
    return found;
  }
};
SIMT_SUBJECT(michael_list_unvalidated);
