// Even threads take lock a, then b; odd ones b, then a: each in an arm of its own, with the whole
// section in it.
#pragma once

#include <simt/simt.hpp>

#include "spin_mutex.hpp"

struct opposite_order {
  spin_mutex a;
  spin_mutex b;

  SIMT_FN void operator()() {
    if (simt::thread_rank() % 2 == 0) {
      a.lock();
      b.lock();
      b.unlock();
      a.unlock();
    } else {
      b.lock();
      a.lock();
      a.unlock();
      b.unlock();
    }
  }
};
SIMT_SUBJECT(opposite_order);
