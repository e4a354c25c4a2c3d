// The nodes of priority queues whose `delete_min` passes over what was inserted after it began:
// each has the time at which it was inserted, by a clock that all share.
#pragma once

#include "taken_nodes.hpp"

struct stamped_nodes : taken_nodes {
  simt::atomic<int, simt::thread_scope_device> clock{0};
  simt::atomic<int, simt::thread_scope_device> stamps[count]{};  // 0: its insert is not done

  /// A time that nobody else has.
  SIMT_FN int now() { return clock.fetch_add(1, simt::memory_order_acq_rel) + 1; }
  SIMT_FN bool is_older(int number, int time) {
    const int stamp = stamps[number].load(simt::memory_order_acquire);
    return stamp != 0 && stamp < time;
  }
  /// Links a node with `key`, if there is none. Returns its number, or of the one that is there.
  SIMT_FN int link(int key, bool& is_new) {
    int mine = 0;
    while (true) {
      const auto where = find(key);
      is_new = !where.has_key;
      if (!is_new) return where.at;
      if (mine == 0) mine = allocate(key);
      nodes[mine].next.store(link_to(where.at), simt::memory_order_release);
      if (nodes[where.before].change(link_to(where.at), link_to(mine))) return mine;
    }
  }
  /// Marks the node and unlinks it, unless others have.
  SIMT_FN void unlink(int number) {
    int seen = nodes[number].link();
    while (!is_marked(seen) && !nodes[number].change(seen, marked(seen))) {
      seen = nodes[number].link();
    }
    find(nodes[number].key);
  }
  /// Takes the first node that was inserted before the call and that nobody has taken.
  SIMT_FN simt::maybe<int> delete_min() {
    const int start = now();
    int at = after(first);
    while (at != last) {
      if (is_older(at, start) && !is_taken(at) && take(at)) {
        const int key = nodes[at].key;
        unlink(at);
        return key;
      }
      at = after(at);
    }
    return {};
  }
};
