// The workload "counter": lock; counter++; unlock. For mutual exclusion of any kind.
#pragma once

#include <cstdint>
#include <cstdio>

#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/repeat.hpp>

namespace simt {

/// Increments a counter by a plain load and a plain store, which a lock must keep together.
struct increment {
  int* counter;
  SIMT_FN void operator()() const { ++*counter; }
};

/// A lock whose critical section lies between two calls.
template <class T>
concept lockable = requires(T lock) {
  lock.lock();
  lock.unlock();
};

/// A lock that runs the critical section itself: `locked(section)` calls `section()` once.
template <class T>
concept runs_sections = requires(T lock, increment section) {
  lock.locked(section);
};

template <class Lock>
struct counter_workload {
  static constexpr const char* name = "counter";

  Lock lock;
  int counter;

  SIMT_FN void run(std::uint32_t repeat) {
    for (std::uint32_t i = 0; SIMT_MORE(i, repeat); ++i) {
      if constexpr (lockable<Lock>) {
        lock.lock();
        ++counter;
        lock.unlock();
      } else {
        lock.locked(increment{&counter});
      }
    }
  }

  /// A critical section that leaves all as it is, so that what repeats for ever has few states.
  struct touch {
    int* counter;
    SIMT_FN void operator()() const {
      const int seen = *counter;
      *counter = seen;
    }
  };

  /// With `repeat` for_ever. (The loop ends nowhere, but it must have an end for lanes to meet at.)
  SIMT_FN void run_for_ever(std::uint32_t repeat) {
    for (const std::uint32_t i = 0; SIMT_MORE(i, repeat);) {
      detail::event_call(0, 0, 0, 0);
      if constexpr (lockable<Lock>) {
        lock.lock();
        touch{&counter}();
        lock.unlock();
      } else {
        lock.locked(touch{&counter});
      }
      detail::event_return(0, false, 0);
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape& shape) const {
    const long long expected = static_cast<long long>(shape.clients) * shape.repeat;
    if (counter == expected) return nullptr;
    thread_local char message[64];
    std::snprintf(message, sizeof message, "counter is %d, expected %lld", counter, expected);
    return message;
  }
};

}  // namespace simt
