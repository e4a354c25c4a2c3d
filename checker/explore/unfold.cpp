#include "checker/explore/unfold.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpcheck {

unfolded_path unfold(simt::machine& machine, const state_table& states,
                     std::span<const state_id> path) {
  unfolded_path result;
  result.state = machine.initial();
  machine.run_ahead(result.state, &result.choices);
  simt::successor_list list;
  simt::state_words after, representative;
  std::vector<simt::choice> made;
  for (const state_id next : path.subspan(1)) {
    machine.steps(result.state, list);
    const auto wanted = states[next];
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
    if (!found) throw std::logic_error("a path of the reduced graph is none of the machine");
  }
  return result;
}

}  // namespace warpcheck
