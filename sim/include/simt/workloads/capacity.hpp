// The workload "capacity": acquire; count those inside; release. For semaphores, which let at most
// `permits` threads in at a time.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

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

/// A semaphore that says how many it lets in: `static constexpr int permits`, or a member that is a
/// whole number.
template <class T>
concept counting_semaphore = acquirable<T> && requires(T semaphore) {
  static_cast<int>(semaphore.permits);
  requires !std::is_floating_point_v<std::remove_cvref_t<decltype(semaphore.permits)>>;
};

namespace detail {

/// What holds each number of permits: int, or more for types whose numbers int does not hold.
template <class Permits>
using permit_count =
    std::conditional_t<std::is_integral_v<Permits> &&
                           (sizeof(Permits) > sizeof(int) ||
                            (sizeof(Permits) == sizeof(int) && std::is_unsigned_v<Permits>)),
                       long long, int>;

}  // namespace detail

template <class Semaphore>
struct capacity_workload {
  static constexpr const char* name = "capacity";
  using count =
      detail::permit_count<std::remove_cvref_t<decltype(std::declval<Semaphore&>().permits)>>;

  Semaphore semaphore;
  atomic<int, thread_scope_device> inside{0};

  SIMT_FN void run(std::uint32_t repeat) {
    for (std::uint32_t i = 0; SIMT_MORE(i, repeat); ++i) {
      semaphore.acquire();
      const int others = inside.fetch_add(1, memory_order_relaxed);
      simt::check(others < static_cast<count>(semaphore.permits),
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
      simt::check(others < static_cast<count>(semaphore.permits),
                  "more threads are inside than there are permits");
      inside.fetch_sub(1, memory_order_relaxed);
      semaphore.release();
      detail::event_return(0, false, 0);
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape&) const { return nullptr; }
};

}  // namespace simt
