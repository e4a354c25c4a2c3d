// The workloads "phases" and "capacity" for measurements. Only one operation in 16 is checked,
// since counting the threads takes longer than what is measured.
#pragma once

#include <cstdint>

#include <simt/atomic.hpp>
#include <simt/check.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/grid.hpp>

namespace simt {

inline constexpr std::uint32_t sample = 16;

/// The first and the last thread of each block count themselves before phases 0, 16, 32, …, and
/// check behind the phase that all of these have come. Other threads are not checked.
template <class Barrier>
struct sampled_phases {
  static constexpr const char* name = "phases";

  Barrier barrier;
  atomic<unsigned, thread_scope_device> entered{0};

  SIMT_FN void run(std::uint32_t repeat) {
    const bool counts = is_first() || is_last();
    const std::uint32_t counted = block_count() * (block_size() > 1 ? 2 : 1);
    for (std::uint32_t phase = 0; phase < repeat; ++phase) {
      const bool looks = counts && phase % sample == 0;
      if (looks) entered.fetch_add(1, memory_order_relaxed);
      barrier.arrive_and_wait();
      if (looks) {
        simt::check(entered.load(memory_order_relaxed) >= (phase / sample + 1) * counted,
                    "a thread has left the barrier before all have come to it");
      }
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape& shape) const {
    const std::uint32_t looks = (shape.repeat + sample - 1) / sample;
    const std::uint32_t counted = shape.blocks * (shape.threads > shape.blocks ? 2 : 1);
    return entered.host_value() == looks * counted ? nullptr : "a phase is missing";
  }

 private:
  SIMT_FN static bool is_first() { return lane_index() == 0 && warp_index() == 0; }
  SIMT_FN static bool is_last() {
    return lane_index() + 1 == warp_size() && warp_index() + 1 == warp_count();
  }
};

/// Each thread counts itself in its operations 0, 16, 32, …
template <class Semaphore>
struct sampled_capacity {
  static constexpr const char* name = "capacity";

  Semaphore semaphore;
  atomic<int, thread_scope_device> inside{0};
  atomic<unsigned, thread_scope_device> looks{0};

  SIMT_FN void run(std::uint32_t repeat) {
    for (std::uint32_t i = 0; i < repeat; ++i) {
      semaphore.acquire();
      if (i % sample == 0) {
        const int others = inside.fetch_add(1, memory_order_relaxed);
        simt::check(others < static_cast<int>(semaphore.permits),
                    "more threads are inside than there are permits");
        inside.fetch_sub(1, memory_order_relaxed);
        looks.fetch_add(1, memory_order_relaxed);
      }
      semaphore.release();
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape& shape) const {
    const std::uint32_t each = (shape.repeat + sample - 1) / sample;
    if (inside.host_value() != 0) return "somebody is still inside";
    return looks.host_value() == each * shape.clients ? nullptr : "an operation is missing";
  }
};

}  // namespace simt
