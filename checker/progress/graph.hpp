// All states that a program can reach by any schedule, fair or not.
//
// A state is memory, the threads' program counters, and which threads have ever started. Every
// unfinished thread has exactly one step in each state.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "checker/progress/program.hpp"

namespace warpcheck {

class progress_graph {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Explores breadth first, up to `max_states` states. State 0 is the initial one, and a lower
  /// number is never farther from it. If `stop` comes true, the graph is not complete.
  progress_graph(const progress_program& program, std::uint64_t max_states,
                 const std::atomic<bool>* stop = nullptr);

  /// Whether the graph has all reachable states. If not, states without successors may have some.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::uint32_t states() const {
    return static_cast<std::uint32_t>(unfinished_.size());
  }
  [[nodiscard]] std::uint32_t threads() const { return threads_; }

  /// Returns the state after a step of `thread`; none: the thread is finished.
  [[nodiscard]] std::uint32_t next(std::uint32_t state, std::uint32_t thread) const {
    return next_[std::size_t{state} * threads_ + thread];
  }
  [[nodiscard]] thread_set unfinished(std::uint32_t state) const { return unfinished_[state]; }
  [[nodiscard]] thread_set started(std::uint32_t state) const { return started_[state]; }

  [[nodiscard]] std::uint16_t memory(std::uint32_t state, std::uint32_t word) const {
    return values_[std::size_t{state} * width_ + word];
  }
  [[nodiscard]] std::uint16_t counter(std::uint32_t state, std::uint32_t thread) const {
    return values_[std::size_t{state} * width_ + words_ + thread];
  }

  /// Returns the threads that step on a shortest way from the initial state to `state`.
  [[nodiscard]] std::vector<std::uint32_t> way_to(std::uint32_t state) const;

 private:
  std::uint32_t threads_;
  std::uint32_t words_;
  std::size_t width_;
  bool complete_ = true;
  std::vector<std::uint16_t> values_;  // by state: memory, then program counters
  std::vector<thread_set> unfinished_, started_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> parent_;        // by state: the state from which it was found
  std::vector<std::uint8_t> parent_thread_;  // by state: the thread whose step led there
};

}  // namespace warpcheck
