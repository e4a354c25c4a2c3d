// The workload "capacity": acquire; count those inside; release. For semaphores, which let at most
// `permits` threads in at a time.
#pragma once

#include <cstdint>

#include <simt/atomic.hpp>
#include <simt/check.hpp>
#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>
#include <simt/detail/repeat.hpp>

namespace simt {

namespace detail {

SIMT_DETAIL_MEMBER(permits);

}  // namespace detail

template <class T>
concept acquirable = requires(T semaphore) {
  semaphore.acquire();
  semaphore.release();
};

/// A semaphore that says how many it lets in: `static constexpr int permits`, or a member.
template <class T>
concept counting_semaphore = acquirable<T> && requires(T semaphore) {
  static_cast<int>(semaphore.permits);
};

template <class Semaphore>
struct capacity_workload {
  static constexpr const char* name = "capacity";

  Semaphore semaphore;
  atomic<int, thread_scope_device> inside{0};

  SIMT_FN void run(std::uint32_t repeat) {
    for (std::uint32_t i = 0; SIMT_MORE(i, repeat); ++i) {
      semaphore.acquire();
      const int others = inside.fetch_add(1, memory_order_relaxed);
      simt::check(others < static_cast<int>(semaphore.permits),
                  "more threads are inside than there are permits");
      inside.fetch_sub(1, memory_order_relaxed);
      semaphore.release();
    }
  }

  /// With `repeat` for_ever, as in the workload "counter".
  SIMT_FN void run_for_ever(std::uint32_t repeat) {
    for (const std::uint32_t i = 0; SIMT_MORE(i, repeat);) {
      detail::event_call(0, 0, 0, 0);
      semaphore.acquire();
      const int others = inside.fetch_add(1, memory_order_relaxed);
      simt::check(others < static_cast<int>(semaphore.permits),
                  "more threads are inside than there are permits");
      inside.fetch_sub(1, memory_order_relaxed);
      semaphore.release();
      detail::event_return(0, false, 0);
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape&) const { return nullptr; }
};

}  // namespace simt
