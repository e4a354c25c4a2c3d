#include "checker/explore/unfold.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpcheck {

unfolded_path unfold(simt::machine& machine, const state_table& states,
                     std::span<const state_id> path) {
  unfolded_path result;
  result.state = machine.initial();
  simt::successor_list list;
  simt::state_words representative;
  for (const state_id next : path.subspan(1)) {
    machine.steps(result.state, list);
    const auto wanted = states[next];
    bool found = false;
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto words = list.state(t, machine.words());
      representative.assign(words.begin(), words.end());
      machine.reduce(representative);
      if (!std::ranges::equal(representative, wanted)) continue;
      result.choices.push_back(t.by);
      result.state.assign(words.begin(), words.end());
      found = true;
      break;
    }
    if (!found) throw std::logic_error("a path of the reduced graph is none of the machine");
  }
  return result;
}

}  // namespace warpcheck
