// Every lane believes that it is the first.
#pragma once

#include <simt/simt.hpp>

struct claim {
  simt::atomic<int> turn{0};

  SIMT_FN void operator()() {
    const int mine = turn.fetch_add(1);
    simt::check(mine == 0, "only one lane may be first");
  }
};
SIMT_SUBJECT(claim);
