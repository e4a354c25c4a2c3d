#include "checker/explore/rehearsal.hpp"

#include <random>
#include <vector>

namespace warpcheck {

std::size_t walk(simt::machine& machine, std::uint64_t seed, std::size_t steps,
                 const limits& bounds) {
  std::mt19937_64 random(seed);
  simt::state_words state = machine.initial();
  simt::successor_list list;
  std::vector<const simt::transition*> ways;
  for (std::size_t i = 0; i < steps; ++i) {
    // (In a grid of hundreds of lanes, a walk takes tens of thousands of steps, of milliseconds.)
    if (bounds.is_over()) return i;
    machine.distinct_steps(state, list);
    if (machine.has_news()) return i;
    ways.clear();
    for (const simt::transition& t : list.transitions) {
      if (t.ends == simt::ending::none && !t.stays) ways.push_back(&t);
    }
    if (ways.empty()) return i;
    const auto words = list.state(*ways[random() % ways.size()], machine.words());
    state.assign(words.begin(), words.end());
  }
  return steps;
}

}  // namespace warpcheck
