// What a pool promises, tried out: no node is in two hands at once, and who gets one after another
// sees what that one has left.
#pragma once

#include <simt/simt.hpp>

struct handed_out_once {
  struct node {
    simt::atomic<int, simt::thread_scope_device> owned{0};
    int uses{0};
  };

  simt::pool<node, 2> nodes;
  simt::atomic<int, simt::thread_scope_device> got{0};

  SIMT_FN void operator()() {
    node* const mine = nodes.allocate();
    if (mine == nullptr) return;
    simt::check(mine->owned.exchange(1, simt::memory_order_relaxed) == 0, "a node has two owners");
    mine->uses = mine->uses + 1;
    mine->owned.store(0, simt::memory_order_relaxed);
    got.fetch_add(1, simt::memory_order_relaxed);
    nodes.retire(mine);
  }

  bool check() const { return nodes.at(1).uses + nodes.at(2).uses == got.host_value(); }
};
SIMT_SUBJECT(handed_out_once);
