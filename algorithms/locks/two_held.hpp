// Each thread takes lock a, then lock b, counts, and gives them back: two locks held at once, in
// the same order by all.
#pragma once

#include <simt/simt.hpp>

template <class Lock>
struct two_held {
  typename Lock::shared shared;
  Lock a;
  Lock b;
  int counter = 0;

  SIMT_FN void operator()() {
    a.lock(shared);
    b.lock(shared);
    ++counter;
    b.unlock(shared);
    a.unlock(shared);
  }

  const char* check(const simt::launch_shape& shape) const {
    return counter == static_cast<int>(shape.clients) ? nullptr : "an increment is lost";
  }
};
