// Decides whether a run can stay in a set of states for ever and be weakly fair.
//
// In a strongly connected set, a run can visit every state and take every step again and again. It
// is fair to a unit if the unit takes a step inside the set. It is also fair if somewhere in the
// set the unit is not owed progress or not enabled (docs/model.md, "Violations"). Moves that take
// no step are made at once, so in a state that awaits a choice every unit counts as enabled.
#pragma once

#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

class fairness {
 public:
  explicit fairness(const simt::machine& machine)
      : machine_(machine), served_(machine.units(), 0), enabled_(machine.units(), 0) {}

  /// Adds a state with its transitions; `inside` says which of them stay in the set.
  template <class Inside>
  void add(simt::state_view state, const simt::successor_list& list, Inside inside) {
    if (list.is_choice) return;
    enabled_.assign(enabled_.size(), 0);
    for (const simt::transition& t : list.transitions) {
      const bool stays = t.ends == simt::ending::none && inside(t);
      machine_.for_each_lane(t.by, state, [&](std::uint32_t lane) {
        const std::uint32_t unit = machine_.unit_of_lane(lane);
        enabled_[unit] = 1;
        if (stays) served_[unit] = 1;
      });
    }
    machine_.list_owed(state, owed_);
    for (std::uint32_t unit = 0; unit < served_.size(); ++unit) {
      if (enabled_[unit] == 0 || owed_[unit] == 0) served_[unit] = 1;
    }
  }

  [[nodiscard]] bool holds() const {
    for (const char served : served_) {
      if (served == 0) return false;
    }
    return true;
  }

  /// Whether the unit takes a step inside the set, or need not.
  [[nodiscard]] bool serves(std::uint32_t unit) const { return served_[unit] != 0; }

 private:
  const simt::machine& machine_;
  std::vector<char> served_;
  std::vector<char> enabled_;
  std::vector<char> owed_;
};

}  // namespace warpcheck
