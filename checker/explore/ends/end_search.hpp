// Decides whether an end can be reached from single states, without exploring the whole graph.
//
// The search goes depth first until it finds an end. Then every state on the path reaches an end,
// and the search remembers that. If it finds no end, it has seen all reachable states, and none of
// them ever reaches one. Depth first may be led astray in a graph without bound. Then a bounded
// breadth-first search follows.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "checker/run/limits.hpp"
#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class end_search {
 public:
  enum class answer : std::uint8_t { ends, never_ends, unknown };

  end_search(simt::machine& machine, const limits& bounds);

  answer from(const simt::state_words& start);

  /// Limits the states that one answer may take.
  void limit_states(std::uint64_t most) { most_states_ = most; }

  /// The number of states that all answers have taken so far.
  [[nodiscard]] std::uint64_t states() const { return table_.size(); }
  /// Why an answer was `unknown`; empty if none was.
  [[nodiscard]] const stop_cause& stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t bytes() const { return table_.memory(); }

 private:
  // A mark of 0, or of an earlier search's number, says that nothing is known of the state.
  static constexpr std::uint32_t reaches_end = 0xffffffff;
  static constexpr std::uint32_t reaches_none = 0xfffffffe;

  simt::machine& machine_;
  const limits& limits_;
  compressed_table table_;
  compressed_table::cursor here_;
  simt::successor_list list_;
  std::uint32_t search_ = 0;  // number of the present search
  std::uint64_t most_states_ = ~std::uint64_t{0};
  std::uint64_t entered_ = 0;  // states, in all searches
  stop_cause stopped_;

  answer depth_first(state_id start);
  answer breadth_first(state_id start);
  /// Fills here_ and list_. Returns whether the run ends in `s`, or with a step from `s`.
  bool ends_at(state_id s);
  bool out_of_bounds();
};

}  // namespace warpcheck
