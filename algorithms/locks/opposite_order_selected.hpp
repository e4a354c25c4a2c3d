// As opposite_order, but the locks are selected first, and all threads then run the same code.
#pragma once

#include <simt/simt.hpp>

#include "spin_mutex.hpp"

struct opposite_order_selected {
  spin_mutex a;
  spin_mutex b;

  SIMT_FN void operator()() {
    const bool even = simt::thread_rank() % 2 == 0;
    spin_mutex* first = even ? &a : &b;
    spin_mutex* second = even ? &b : &a;
    first->lock();
    second->lock();
    second->unlock();
    first->unlock();
  }
};
SIMT_SUBJECT(opposite_order_selected);
