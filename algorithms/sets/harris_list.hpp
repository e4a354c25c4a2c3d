// The list without locks of Harris (A pragmatic implementation of non-blocking linked-lists, DISC
// 2001), figures 3 to 6: a search unlinks all marked nodes between the two that it returns, with
// one compare-exchange. Nodes are used once.
#pragma once

#include "marked_nodes.hpp"

struct harris_list : private marked_links {
  static constexpr const char* spec = "set";

  marked_nodes nodes;

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      const auto where = search(key);
      if (where.has_key) return false;
      if (mine == 0) mine = nodes.allocate(key);
      nodes[mine].next.store(link_to(where.at), simt::memory_order_release);
      if (nodes[where.before].change(link_to(where.at), link_to(mine))) return true;
    }
  }
  SIMT_FN bool erase(int key) {
    while (true) {
      const auto where = search(key);
      if (!where.has_key) return false;
      const int link = nodes[where.at].link();
      if (is_marked(link)) continue;
      if (!nodes[where.at].change(link, marked(link))) continue;
      if (!nodes[where.before].change(link_to(where.at), link)) search(key);
      return true;
    }
  }
  SIMT_FN bool contains(int key) { return search(key).has_key; }

 private:
  SIMT_FN marked_nodes::place search(int key) {
    while (true) {
      // The last node that is not marked before the place, and its link then.
      int before = marked_nodes::first;
      int after_before = nodes[before].link();
      int at = number_of(after_before);
      int found = nodes[at].key;
      while (at != marked_nodes::last) {
        const int link = nodes[at].link();
        if (!is_marked(link)) {
          if (found >= key) break;
          before = at;
          after_before = link;
        }
        at = number_of(link);
        found = nodes[at].key;
      }
      if (after_before != link_to(at) && !nodes[before].change(after_before, link_to(at))) continue;
      if (at == marked_nodes::last || !is_marked(nodes[at].link())) {
        return {before, at, found == key};
      }
    }
  }
};
SIMT_SUBJECT(harris_list);
