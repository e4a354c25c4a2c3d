// The broken twin of `michael_list_hazard` whose nodes are used again at once, whoever is about to
// access them: ABA. A client that stands on such a node goes on in whatever part of the list the
// node is by now, and its compare-exchange succeeds there.
#pragma once

#include "michael_nodes.hpp"

/// Nodes that nobody guards.
struct unguarded_nodes : recycled_nodes {
  SIMT_FN void protect(int, int) {}
  SIMT_FN void remove(int number) { retire(number); }
  SIMT_FN void give_back(int number) { retire(number); }
};

struct michael_list_reuse {
  static constexpr const char* spec = "set";

  michael_nodes<unguarded_nodes> list;

  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN bool erase(int key) { return list.erase(key); }
  SIMT_FN bool contains(int key) { return list.find(key).has_key; }
};
SIMT_SUBJECT(michael_list_reuse);
