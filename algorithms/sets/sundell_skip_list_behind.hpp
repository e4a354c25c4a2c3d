// The broken twin of `sundell_skip_list` that helps as Sundell and Tsigas list it (JPDC 2005): a
// walk steps onto a deleted node, goes back, and unlinks the node if it is the first with its key.
// An insert links a new node in front of a deleted one with that key: then walks turn back for
// ever.
#pragma once

#include "sundell_nodes.hpp"

struct sundell_skip_list_behind {
  static constexpr const char* spec = "set";

  sundell_list<sundell_nodes_once<two_levels_by_key>, sundell_ways{.looks_ahead = false}> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(sundell_skip_list_behind);
