// A share of work for one of two explorations that look for the same: one merges continuations,
// the other does not (docs/reductions.md, "Explorations in turns").
#pragma once

#include <atomic>
#include <cstdint>

namespace simt {
class lane_automaton;
}

namespace warpcheck {

/// Counts work, not time, so that a run ends in the same turn each time. A unit is an answer that
/// merging looks up, or a word of a state that is made. For any thread.
class turn {
 public:
  /// For an exploration that merges: ends once merging has cost `most`, and more than exploring.
  turn(std::uint64_t most, const simt::lane_automaton& merging) : most_(most), merging_(&merging) {}
  /// For one that does not: ends once exploring has cost `most`.
  explicit turn(std::uint64_t most) : most_(most) {}

  /// So much more was explored.
  void add(std::uint64_t more) { explored_.fetch_add(more, std::memory_order_relaxed); }
  /// Is asked now and then by whatever may take long. Once it is over, it stays so.
  [[nodiscard]] bool is_over();
  [[nodiscard]] bool was_over() const { return over_.load(std::memory_order_relaxed); }
  /// What it has cost.
  [[nodiscard]] std::uint64_t work() const;

 private:
  std::uint64_t most_;
  const simt::lane_automaton* merging_ = nullptr;
  std::atomic<std::uint64_t> explored_ = 0;
  std::atomic<bool> over_ = false;
};

}  // namespace warpcheck
