// The broken twin of `marked_list` whose marks are words of their own: nothing says, when a link
// changes, that the node that has it is not marked meanwhile. What is linked behind such a node is
// lost.
#pragma once

#include "marked_nodes.hpp"

struct marked_list_mark_apart {
  static constexpr const char* spec = "set";

  marked_nodes nodes;
  simt::atomic<int, simt::thread_scope_device> marks[marked_nodes::count]{};

  SIMT_FN void init() { nodes.init(); }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      const auto where = find(key);
      if (where.has_key) return false;
      if (mine == 0) mine = nodes.allocate(key);
      nodes[mine].next.store(marked_nodes::link_to(where.at), simt::memory_order_release);
      if (change(where.before, where.at, mine)) return true;
    }
  }
  SIMT_FN bool erase(int key) {
    while (true) {
      const auto where = find(key);
      if (!where.has_key) return false;
      if (marks[where.at].exchange(1, simt::memory_order_acq_rel) != 0) continue;
      change(where.before, where.at, after(where.at));
      return true;
    }
  }
  SIMT_FN bool contains(int key) {
    int at = after(marked_nodes::first);
    while (nodes[at].key < key) at = after(at);
    return nodes[at].key == key && !is_marked(at);
  }

 private:
  SIMT_FN marked_nodes::place find(int key) {
    while (true) {
      int before = marked_nodes::first;
      int at = after(before);
      bool is_whole = true;
      while (is_whole) {
        const int next = after(at);
        if (is_marked(at)) {
          is_whole = change(before, at, next);
        } else {
          const int found = nodes[at].key;
          if (found >= key) return {before, at, found == key};
          before = at;
        }
        at = next;
      }
    }
  }
  SIMT_FN int after(int number) { return marked_nodes::number_of(nodes[number].link()); }
  SIMT_FN bool is_marked(int number) { return marks[number].load(simt::memory_order_acquire) != 0; }
  SIMT_FN bool change(int number, int expected, int desired) {
    return nodes[number].change(marked_nodes::link_to(expected), marked_nodes::link_to(desired));
  }
};
SIMT_SUBJECT(marked_list_mark_apart);
