// The skip list of Sundell and Tsigas (SAC 2004) with two levels. Nodes are used once.
#pragma once

#include "sundell_nodes.hpp"

struct sundell_skip_list {
  static constexpr const char* spec = "set";

  sundell_list<sundell_nodes_once<two_levels_by_key>> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(sundell_skip_list);
