// The workload "phases": enter the phase; meet the others; look whether all of them have entered.
// For barriers, also when they are used again.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/atomic.hpp>
#include <simt/check.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/detail/repeat.hpp>
#include <simt/grid.hpp>

namespace simt {

/// A barrier is used again and again by the same threads.
template <class T>
concept reusable_barrier = requires(T barrier) {
  barrier.arrive_and_wait();
};

namespace detail {

SIMT_DETAIL_MEMBER(parties);

template <class R>
concept whole_number = std::is_integral_v<R> || std::is_enum_v<R>;

}  // namespace detail

/// How many threads it is for; all of the grid where it does not say.
template <class T>
concept counts_parties = requires(T barrier) {
  { barrier.parties() } -> detail::whole_number;
};

template <class Barrier>
struct phases_workload {
  static constexpr const char* name = "phases";

  Barrier barrier;
  /// In all phases together: who is in a later one has entered the earlier ones, too.
  atomic<unsigned, thread_scope_device> entered{0};

  SIMT_FN void run(std::uint32_t repeat) {
    for (std::uint32_t phase = 0; SIMT_MORE(phase, repeat); ++phase) {
      entered.fetch_add(1, memory_order_relaxed);
      barrier.arrive_and_wait();
      simt::check(entered.load(memory_order_relaxed) / (phase + 1) >= parties(),
                  "a thread has left the barrier before all have come to it");
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape&) const { return nullptr; }

 private:
  SIMT_FN std::uint64_t parties() {
    if constexpr (counts_parties<Barrier>) {
      const auto count = static_cast<std::int64_t>(barrier.parties());
      if (count < 1) {
        detail::misuse(
            "parties() is less than 1, so the workload \"phases\" would check nothing: it returns "
            "how many threads the barrier is for, 1 or more");
      }
      return static_cast<std::uint64_t>(count);
    } else {
      return grid_size();
    }
  }
};

}  // namespace simt
