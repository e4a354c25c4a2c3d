// The plain increment: a weak load and a weak store.
#pragma once

#include <simt/simt.hpp>

struct lost_update_weak {
  int counter = 0;

  SIMT_FN void operator()() { ++counter; }

  const char* check(const simt::launch_shape& shape) const {
    return counter == static_cast<int>(shape.clients) ? nullptr : "an update is lost";
  }
};
SIMT_SUBJECT(lost_update_weak);
