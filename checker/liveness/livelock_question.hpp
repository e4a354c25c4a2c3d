// Decides whether a fair run can stay in a strongly connected component of the explored graph for
// ever.
//
// An object belongs to one thread, like the machine that it asks.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class livelock_question {
 public:
  livelock_question(simt::machine& machine, simt::fairness notion, const compressed_table& states)
      : machine_(machine), notion_(notion), states_(states) {}

  /// Whether strong fairness is asked for, and some unit is owed progress.
  [[nodiscard]] bool is_strong() const {
    return notion_ == simt::fairness::strong && machine_.owes() != simt::progress::unfair;
  }

  /// Whether lanes change places in too many ways for some answer. Then no answer counts.
  [[nodiscard]] bool moves_too_much() const { return moves_too_much_; }

  /// Whether a run can stay in a closed component of more than one state. `members` are all its
  /// states.
  bool can_stay_in(std::span<const state_id> members);

  /// Whether a run stays in a part of a component, not in all of it: under strong fairness, or if
  /// memory has to be fair, too.
  [[nodiscard]] bool is_of_parts() const {
    return is_strong() || machine_.traits_of_memory().has_stale_steps;
  }
  /// If is_of_parts(): returns the states of a component to which a run can come back for ever.
  boost::unordered_flat_set<state_id> parts_of(std::span<const state_id> members);

  /// Whether a run can stay in state `s` alone, which has a step back to itself. `list` holds its
  /// successors.
  bool can_stay_at(state_id s, simt::state_view state, const simt::successor_list& list);

 private:
  simt::machine& machine_;
  simt::fairness notion_;
  const compressed_table& states_;
  simt::successor_list list_;
  compressed_table::cursor here_;
  std::vector<char> unit_flags_;
  bool moves_too_much_ = false;

  boost::unordered_flat_set<state_id> fair_part(std::span<const state_id> members,
                                                const std::function<bool(state_id)>& inside);
  [[nodiscard]] bool is_in(state_id s, std::uint32_t component) const;
  bool some_unit_only_leaves(simt::state_view state, const simt::successor_list& list);
};

}  // namespace warpcheck
