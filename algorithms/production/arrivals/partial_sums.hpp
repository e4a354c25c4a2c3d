// The sum of a grid: thread 0 of each block stores a partial sum and counts the block; another
// thread of the last block adds them up. The partial sums are volatile, as in the CUDA manual.
// `How`: what stands before and behind the counting.
#pragma once

#include <simt/simt.hpp>

struct orders_nothing {
  SIMT_FN static void meet() {}
  SIMT_FN static void before() {}
  SIMT_FN static void behind() {}
};
struct orders_by_barrier : orders_nothing {
  SIMT_FN static void meet() { simt::syncthreads(); }
};
struct orders_before : orders_nothing {
  SIMT_FN static void before() { simt::__threadfence(); }
};
struct orders_both : orders_before {
  SIMT_FN static void behind() { simt::__threadfence(); }
};

template <class How>
struct partial_sums {
  static constexpr unsigned room = 4;
  struct is_last {
    unsigned value;
  };
  volatile int partial[room]{};
  unsigned count = 0;
  int total = 0;

  SIMT_FN void operator()() {
    unsigned& last = simt::block_shared<is_last>().value;
    const unsigned thread = simt::thread_rank() % simt::block_size();
    const unsigned block = simt::block_index();
    if (thread == 0) partial[block] = static_cast<int>(block) + 1;
    How::meet();
    if (thread == 0) {
      How::before();
      last = simt::atomicInc(&count, simt::block_count()) == simt::block_count() - 1 ? 1U : 0U;
      How::behind();
    }
    simt::syncthreads();
    if (last != 0 && thread == 1) {
      int all = 0;
      for (unsigned each = 0; each < simt::block_count(); ++each) all += partial[each];
      total = all;
    }
  }

  bool check(const simt::launch_shape& shape) const {
    return total == static_cast<int>(shape.blocks * (shape.blocks + 1) / 2);
  }
};
