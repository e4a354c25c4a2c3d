// All states that a program can reach, by any schedule however unfair.
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
  /// number is never farther from it. Where `stop` comes true, it is not complete.
  progress_graph(const progress_program& program, std::uint64_t max_states,
                 const std::atomic<bool>* stop = nullptr);

  /// Whether all reachable states are there. Where not, states without successors may have some.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::uint32_t states() const {
    return static_cast<std::uint32_t>(unfinished_.size());
  }
  [[nodiscard]] std::uint32_t threads() const { return threads_; }

  /// The state after a step of `thread`; none: it is finished.
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

  /// The threads that step on a shortest way from the initial state to `state`.
  [[nodiscard]] std::vector<std::uint32_t> way_to(std::uint32_t state) const;

 private:
  std::uint32_t threads_;
  std::uint32_t words_;
  std::size_t width_;
  bool complete_ = true;
  std::vector<std::uint16_t> values_;  // of each state: memory, then program counters
  std::vector<thread_set> unfinished_, started_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> parent_;        // of each state: the one it was found from,
  std::vector<std::uint8_t> parent_thread_;  // and whose step that was
};

}  // namespace warpcheck
