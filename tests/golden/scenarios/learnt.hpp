// Lanes that could learn of a store, and do not.
#pragma once

#include <simt/simt.hpp>

struct learnt_through_barrier {
  int data = 0;
  simt::atomic<int, simt::thread_scope_device> flag{0};
  SIMT_FN void operator()() {
    const unsigned warp = simt::warp_index();
    if (simt::block_index() == 0) {
      if (warp != 0) return;
      data = 1;
      flag.store(1, simt::memory_order_release);
      return;
    }
    if (warp == 0) {
      while (flag.load(simt::memory_order_relaxed) == 0) {
      }
    }
    simt::syncthreads();
    if (warp == 1) simt::check(data == 1, "an old value");
  }
};
SIMT_SUBJECT(learnt_through_barrier);

struct learnt_old_value {
  simt::atomic<int, simt::thread_scope_device> data{0}, flag{0};
  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      data.store(1, simt::memory_order_relaxed);
      flag.store(1, simt::memory_order_relaxed);
    } else if (flag.load(simt::memory_order_acquire) == 1) {
      simt::check(data.load(simt::memory_order_relaxed) == 1, "an old value");
    }
  }
};
SIMT_SUBJECT(learnt_old_value);

struct learnt_by_narrow_fence {
  int data = 0;
  simt::atomic<int, simt::thread_scope_device> count{0};
  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      data = 1;
      simt::__threadfence_block();
    }
    if (simt::block_index() != 2) {
      count.fetch_add(1, simt::memory_order_relaxed);
      return;
    }
    while (count.load(simt::memory_order_acquire) < 2) {
    }
    simt::check(data == 1, "an old value");
  }
};
SIMT_SUBJECT(learnt_by_narrow_fence);
