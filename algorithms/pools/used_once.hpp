// The same nodes without reuse: whoever comes when all have been handed out gets none, although all
// were retired.
#pragma once

#include <simt/simt.hpp>

struct used_once {
  struct node {
    int uses{0};
  };

  simt::pool<node, 2, simt::pool_policy::no_reuse> nodes;
  simt::atomic<int, simt::thread_scope_device> left_out{0};

  SIMT_FN void operator()() {
    node* const mine = nodes.allocate();
    if (mine == nullptr) {
      left_out.fetch_add(1, simt::memory_order_relaxed);
      return;
    }
    mine->uses = mine->uses + 1;
    nodes.retire(mine);
  }

  bool check(const simt::launch_shape& shape) const {
    const int clients = static_cast<int>(shape.clients);
    const int used = clients < 2 ? clients : 2;
    return nodes.at(1).uses <= 1 && nodes.at(2).uses <= 1 &&
           left_out.host_value() == clients - used;
  }
};
SIMT_SUBJECT(used_once);
