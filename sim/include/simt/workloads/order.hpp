// The workload "order": lock and unlock, and look whether anybody was overtaken. It is for locks
// that are first come, first served (Lamport, A new solution of Dijkstra's concurrent programming
// problem, 1974). A thread that has left the doorway before another comes to it enters first. Here
// "before" means that the other thread has synchronized with the first one since.
#pragma once

#include <cstdint>

#include <simt/atomic.hpp>
#include <simt/check.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/detail/repeat.hpp>
#include <simt/grid.hpp>

namespace simt {

/// A lock in two parts: `doorway()`, in which the order is settled, gives what `wait_turn()` takes.
template <class T>
concept ordered_lock = requires(T lock) {
  lock.wait_turn(lock.doorway());
  lock.unlock();
};

/// For at most 8 threads, with `thread_rank()` below 8, and 127 repetitions.
template <class Lock>
struct order_workload {
  static constexpr const char* name = "order";
  static constexpr unsigned most_threads = 8;

  Lock lock;
  /// A byte for each thread, which grows by one when it leaves the doorway and when it enters: odd
  /// while it waits.
  atomic<std::uint64_t, thread_scope_device> waiting{0};

  SIMT_FN void run(std::uint32_t repeat) {
    const unsigned me = thread_rank();
    simt::check(me < most_threads, "the workload \"order\" is for threads 0 to 7");
    const std::uint64_t mine = std::uint64_t{1} << (8 * me);
    for (std::uint32_t i = 0; SIMT_MORE(i, repeat); ++i) {
      const std::uint64_t before = waiting.load(memory_order_acquire);
      const auto ticket = lock.doorway();
      waiting.fetch_add(mine, memory_order_release);
      lock.wait_turn(ticket);
      const std::uint64_t now = waiting.fetch_add(mine, memory_order_relaxed);
      simt::check(!waits_since(before, now), "a thread has overtaken one that came before it");
      lock.unlock();
    }
  }

  SIMT_UNTRACED const char* check(const detail::launch_shape&) const { return nullptr; }

 private:
  /// Whether one that waited then is waiting still, for the same turn.
  SIMT_FN static bool waits_since(std::uint64_t then, std::uint64_t now) {
    constexpr std::uint64_t low_bits = 0x0101010101010101;
    const std::uint64_t changed = then ^ now;
    // Folds each byte of `changed` into its lowest bit.
    std::uint64_t any = changed | (changed >> 4 & 0x0f0f0f0f0f0f0f0f);
    any |= any >> 2 & 0x3f3f3f3f3f3f3f3f;
    any |= any >> 1 & 0x7f7f7f7f7f7f7f7f;
    return (then & ~any & low_bits) != 0;
  }
};

}  // namespace simt
