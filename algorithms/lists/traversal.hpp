// A doubly linked list, its nodes 0, 1, 2, … side by side, that threads traverse hand over hand:
// Grote (2020), section 2.2.2, "Deadlock".
#pragma once

#include "../locks/grote_locks.hpp"

struct traversal {
  static constexpr int nodes = 3;

  grote::tas_lock::shared shared;
  grote::tas_lock locks[nodes];
  int visits[nodes]{};

  SIMT_FN void forwards() {
    locks[0].lock(shared);
    for (int at = 0; at < nodes; ++at) {
      ++visits[at];
      if (at + 1 < nodes) locks[at + 1].lock(shared);
      locks[at].unlock(shared);
    }
  }
  SIMT_FN void backwards() {
    locks[nodes - 1].lock(shared);
    for (int at = nodes - 1; at >= 0; --at) {
      ++visits[at];
      if (at > 0) locks[at - 1].lock(shared);
      locks[at].unlock(shared);
    }
  }

  const char* check(const simt::launch_shape& shape) const {
    for (const int each : visits) {
      if (each != static_cast<int>(shape.clients)) return "a visit is lost";
    }
    return nullptr;
  }
};
