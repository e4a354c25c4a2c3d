// The broken twin of `sundell_skip_list_counted` that refers to the next node only until its new
// node leads to it, and not until that is linked, as Sundell and Tsigas list it (JPDC 2005): the
// next node may come back with another key.
#pragma once

#include "sundell_nodes.hpp"

struct sundell_skip_list_drops_next {
  static constexpr const char* spec = "set";

  sundell_list<sundell_nodes_again<two_levels_by_key>, sundell_ways{.holds_next = false}> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(sundell_skip_list_drops_next);
