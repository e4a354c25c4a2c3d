// The broken twin of `sundell_skip_list_counted` whose list counts as one reference to a node, on
// however many levels that is. Its insert helps to unlink the node from level zero alone.
#pragma once

#include "sundell_nodes.hpp"

struct sundell_skip_list_counts_once {
  static constexpr const char* spec = "set";

  sundell_list<sundell_nodes_again<two_levels_by_key>, sundell_ways{.counts_links = false}> list;

  SIMT_FN void init() { list.init(); }

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.contains(key); }
};
SIMT_SUBJECT(sundell_skip_list_counts_once);
