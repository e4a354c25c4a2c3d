// The list without locks of Michael (High performance dynamic lock-free hash tables and list-based
// sets, SPAA 2002), with hazard pointers (IEEE TPDS 2004): nodes are used again.
#pragma once

#include "michael_nodes.hpp"

struct michael_list_hazard {
  static constexpr const char* spec = "set";

  michael_nodes<hazard_nodes<2>> list;

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
SIMT_SUBJECT(michael_list_hazard);
