// Says what is to be decided: operations as intervals of time, and limits of the work.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/history/history.hpp"

namespace warpcheck {

inline constexpr std::uint32_t no_operation = 0xffffffff;

/// One atomic step that an order has to place between `called` and `returns`.
struct timed_step {
  std::uint32_t source = 0;  // index of the operation in history::operations
  simt::spec::call what;
  bool has_result = false;   // the operation completed, and this is its last step
  bool must_happen = false;  // the operation completed
  /// The step may have taken effect before the task begins. Then it changes nothing any more.
  bool may_be_done = false;
  simt::spec::result returned;
  event_time called = 0;
  event_time returns = never;
  std::uint32_t after = no_operation;  // index of the previous step of the same operation
};

/// Returns the steps of the given operations, in the order given.
std::vector<timed_step> steps_of(const history& of, const simt::spec::specification& spec,
                                 std::span<const std::uint32_t> operations);

/// Returns one more than the time of the last event.
event_time end_of(std::span<const timed_step> steps);

/// Turns quiescent consistency into a question of intervals. Each step may lie anywhere between the
/// last moment before it and the first moment after it at which nothing is pending.
void widen_to_quiescence(std::vector<timed_step>& steps);

struct history_limits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::uint64_t max_memory = ~std::uint64_t{0};  // in bytes
  const std::atomic<bool>* stop = nullptr;

  /// Returns these limits, but with at most so many seconds from now.
  [[nodiscard]] history_limits within(double seconds) const {
    history_limits less = *this;
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                         std::chrono::duration<double>(seconds));
    if (!less.deadline || end < *less.deadline) less.deadline = end;
    return less;
  }

  /// Returns why to stop now, or nothing. `bytes` is the memory in use.
  [[nodiscard]] const char* exceeded(std::uint64_t bytes) const {
    if (bytes > max_memory) return "memory limit";
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return "interrupted";
    if (deadline && std::chrono::steady_clock::now() > *deadline) return "time limit";
    return nullptr;
  }
};

enum class answer : std::uint8_t { explained, impossible, stopped };

}  // namespace warpcheck
