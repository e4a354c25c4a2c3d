// A barrier of the grid: each block passes a fence, counts itself and waits for the others,
// relaxed. `AfterWaiting`: what stands behind the wait.
#pragma once

#include <simt/simt.hpp>

struct nothing_behind {
  SIMT_FN static void pass() {}
};
struct fence_behind {
  SIMT_FN static void pass() {
    simt::atomic_thread_fence(simt::memory_order_acq_rel, simt::thread_scope_device);
  }
};

template <class AfterWaiting>
struct device_syncers {
  static constexpr unsigned room = 4;
  int sent[room]{};
  simt::atomic<unsigned, simt::thread_scope_device> arrived{0};

  SIMT_FN void meet() {
    simt::atomic_thread_fence(simt::memory_order_acq_rel, simt::thread_scope_device);
    arrived.fetch_add(1, simt::memory_order_relaxed);
    while (arrived.load(simt::memory_order_relaxed) != simt::block_count()) {
    }
    AfterWaiting::pass();
  }

  SIMT_FN void operator()() {
    const unsigned own = simt::block_index();
    const unsigned next = (own + 1) % simt::block_count();
    sent[own] = static_cast<int>(own) + 1;
    meet();
    simt::check(sent[next] == static_cast<int>(next) + 1, "not what the other block has sent");
  }
};
