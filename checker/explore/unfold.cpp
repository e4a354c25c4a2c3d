// Follows a path of representatives with the machine, and bridges gaps by a bounded breadth-first
// search.
#include "checker/explore/unfold.hpp"

#include <algorithm>

#include "checker/states/machine_shape.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t search_limit = 20'000;  // states

bool is_represented_by(simt::machine& machine, simt::state_words state, simt::state_view wanted) {
  machine.change_places(state);
  return std::ranges::equal(state, wanted);
}

/// Continues from `at`, by the fewest choices but at least one, to a state that `wanted`
/// represents. Returns whether it found one.
bool go_on(simt::machine& machine, simt::state_view wanted, unfolded_path& at) {
  struct arrival {
    state_id from;
    simt::choice by;
  };
  compressed_table seen(shape_of(machine));
  compressed_table::cursor here;
  std::vector<arrival> arrivals{{compressed_table::none, {}}};
  seen.intern(at.state);
  simt::successor_list list;
  simt::state_words representative;
  for (state_id s = 0; s < seen.size() && s < search_limit; ++s) {
    seen.read(s, here);
    machine.steps(here.words(), list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto words = list.state(t, machine.words());
      if (!seen.intern(words, here).is_new) continue;
      arrivals.push_back({s, t.by});
      representative.assign(words.begin(), words.end());
      machine.change_places(representative);
      if (!std::ranges::equal(representative, wanted)) continue;
      std::vector<simt::choice> reversed;
      for (state_id to = seen.size() - 1; to != 0; to = arrivals[to].from) {
        reversed.push_back(arrivals[to].by);
      }
      at.choices.insert(at.choices.end(), reversed.rbegin(), reversed.rend());
      at.state.assign(words.begin(), words.end());
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<unfolded_path> unfold(simt::machine& machine, const compressed_table& states,
                                    std::span<const state_id> path) {
  unfolded_path result;
  simt::successor_list list;
  simt::state_words after, representative, wanted(machine.words());
  states.read(path[0], wanted);
  result.state = machine.initial();
  machine.run_ahead(result.state, &result.choices);
  if (!is_represented_by(machine, result.state, wanted)) {
    // By now more steps are known that may run ahead than when the exploration began.
    result = {.choices = {}, .state = machine.initial()};
    if (!is_represented_by(machine, result.state, wanted) && !go_on(machine, wanted, result))
      return std::nullopt;
  }
  std::vector<simt::choice> made;
  for (std::size_t i = 1; i < path.size(); ++i) {
    machine.steps(result.state, list);
    states.read(path[i], wanted);
    bool found = false;
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto words = list.state(t, machine.words());
      after.assign(words.begin(), words.end());
      made.assign(1, t.by);
      machine.run_ahead(after, &made);
      representative = after;
      machine.change_places(representative);
      if (!std::ranges::equal(representative, wanted)) continue;
      result.choices.insert(result.choices.end(), made.begin(), made.end());
      result.state = after;
      found = true;
      break;
    }
    // Moves that take no step are made warp by warp, here in the order of places of the
    // representative. When all moves have been made, states no longer show the order.
    if (!found && i + 1 < path.size()) {
      machine.steps(wanted, list);
      if (list.is_choice) continue;
    }
    // A stopped round does not know for good which steps may run ahead. So other lanes may run
    // ahead here than in that round.
    if (!found && !go_on(machine, wanted, result)) return std::nullopt;
  }
  return result;
}

}  // namespace warpcheck
