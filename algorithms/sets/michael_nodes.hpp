// The list without locks of Michael (High performance dynamic lock-free hash tables and list-based
// sets, SPAA 2002), with hazard pointers as in figure 9 of Hazard pointers (IEEE TPDS 2004): nodes
// are used again when nobody names them. `Nodes` hands them out and guards them.
#pragma once

#include "../hazard_nodes.hpp"
#include "../nodes.hpp"
#include "marked_nodes.hpp"

template <class Nodes, bool looks_again = true>
struct michael_nodes : marked_links {
  using shared = simt::atomic<int, simt::thread_scope_device>;

  /// Two neighbours: `at` has the smallest key that is not below the one looked for (0: none has).
  /// `link` is that of `at`.
  struct place {
    int before;
    int at;
    int link;
    bool has_key;
  };

  shared head{0};
  Nodes nodes;

  /// The link that leads on from a node, or from the head of the list (0).
  SIMT_FN shared& after(int number) { return number == 0 ? head : nodes[number].next; }

  SIMT_FN bool change(int number, int expected, int desired) {
    return after(number).compare_exchange_strong(expected, desired, simt::memory_order_seq_cst,
                                                 simt::memory_order_acquire);
  }

  /// The place of `key`, its two nodes guarded. Unlinks marked nodes on the way.
  SIMT_FN place find(int key) {
    while (true) {
      int before = 0;
      int slot = 0;  // guards `at`; the other one guards `before`
      int at = number_of(head.load(simt::memory_order_acquire));
      bool is_whole = true;
      while (is_whole) {
        if (at == 0) return {before, 0, 0, false};
        nodes.protect(slot, at);
        if (!leads(before, at)) break;
        const int link = nodes[at].next.load(simt::memory_order_acquire);
        if (is_marked(link)) {
          is_whole = change(before, link_to(at), link_to(number_of(link)));
          if (is_whole) nodes.remove(at);
        } else {
          const int found = nodes[at].value;
          if (!leads(before, at)) break;
          if (found >= key) return {before, at, link, found == key};
          before = at;
          slot = 1 - slot;
        }
        at = number_of(link);
      }
    }
  }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      const place where = find(key);
      if (where.has_key) {
        if (mine != 0) nodes.give_back(mine);
        return false;
      }
      if (mine == 0) {
        mine = nodes.allocate();
        nodes[mine].value = key;
      }
      nodes[mine].next.store(link_to(where.at), simt::memory_order_release);
      if (change(where.before, link_to(where.at), link_to(mine))) return true;
    }
  }

  SIMT_FN bool erase(int key) {
    while (true) {
      const place where = find(key);
      if (!where.has_key) return false;
      if (!change(where.at, where.link, marked(where.link))) continue;
      if (change(where.before, link_to(where.at), where.link)) {
        nodes.remove(where.at);
      } else {
        find(key);
      }
      return true;
    }
  }

 private:
  /// Whether the node `before` is not marked, and `at` is the next one.
  SIMT_FN bool leads(int before, int at) {
    if constexpr (!looks_again) return true;
    return after(before).load(simt::memory_order_seq_cst) == link_to(at);
  }
};
