// As `double_checked`, with a plain flag, as the idiom was first written down.
#pragma once

#include <simt/simt.hpp>

struct double_checked_plain {
  int ready = 0;
  int mutex = 0;
  int value = 0;
  int initialized = 0;  // how often

  SIMT_FN int get() {
    if (ready == 0) {
      while (simt::atomicCAS(&mutex, 0, 1) != 0) {
      }
      simt::__threadfence();
      if (ready == 0) {
        initialized = initialized + 1;
        value = 42;
        ready = 1;
      }
      simt::__threadfence();
      simt::atomicExch(&mutex, 0);
    }
    return value;
  }

  SIMT_FN void operator()() { simt::check(get() == 42, "the value is not initialized"); }

  bool check() const { return initialized == 1; }
};
SIMT_SUBJECT(double_checked_plain);
