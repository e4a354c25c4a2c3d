// A lock of relaxed exchanges. `after_taking` and `before_leaving`: what stands there.
#pragma once

#include <simt/simt.hpp>

struct no_fence {
  SIMT_FN static void pass() {}
};
struct device_fence {
  SIMT_FN static void pass() { simt::__threadfence(); }
};

template <class AfterTaking, class BeforeLeaving>
struct word_locks {
  int word = 0;

  SIMT_FN void lock() {
    while (simt::atomicExch(&word, 1) != 0) {
    }
    AfterTaking::pass();
  }
  SIMT_FN void unlock() {
    BeforeLeaving::pass();
    simt::atomicExch(&word, 0);
  }
};
