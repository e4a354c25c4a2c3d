// The priority queue without locks of Linden and Jonsson (A skiplist-based concurrent priority
// queue with minimal memory contention, OPODIS 2013), on its lowest level and without taking nodes
// out: the mark of a link says that the *next* node is deleted. So deleted nodes are a prefix of
// the list, `insert` links behind it, and both change the same link. Nodes are used once.
#pragma once

#include "../sets/marked_nodes.hpp"

struct linden_jonsson : private marked_links {
  static constexpr const char* spec = "priority_set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      int before = marked_nodes::first;
      int link = nodes[before].link();
      while (is_marked(link) || nodes[number_of(link)].key < key) {
        before = number_of(link);
        link = nodes[before].link();
      }
      if (nodes[number_of(link)].key == key) return false;
      if (mine == 0) mine = nodes.allocate(key);
      nodes[mine].next.store(link, simt::memory_order_release);
      if (nodes[before].change(link, link_to(mine))) return true;
    }
  }
  SIMT_FN simt::maybe<int> delete_min() {
    int before = marked_nodes::first;
    while (true) {
      const int link = nodes[before].link();
      const int at = number_of(link);
      if (is_marked(link)) {
        before = at;
      } else {
        if (at == marked_nodes::last) return {};
        if (nodes[before].change(link, marked(link))) return nodes[at].key;
      }
    }
  }
};
SIMT_SUBJECT(linden_jonsson);
