// Follows an execution of memory in order where memory is weak, until it is a race.
#include "checker/check/race_in_order.hpp"

#include <algorithm>

#include "checker/explore/asked_in_time.hpp"

namespace warpcheck {
namespace {

std::optional<execution> follow_in_order(simt::machine& machine, const execution& in_order) {
  using kind = simt::choice::kind;
  execution result;
  simt::state_words state = machine.initial();
  simt::successor_list list;
  for (const simt::choice& by : in_order.prefix) {
    for (bool again = true; again;) {
      machine.steps_by(state, by, list);
      if (machine.has_news()) return std::nullopt;
      // A choice of one lane names how many messages are newer than the one that is taken: none.
      const auto t = std::ranges::find(list.transitions, by, &simt::transition::by);
      if (t == list.transitions.end()) return std::nullopt;
      result.prefix.push_back(by);
      if (t->ends == simt::ending::race) return result;
      if (t->ends != simt::ending::none) return std::nullopt;
      // Where memory is weak, the fence of a sequentially consistent access is a step of its own.
      again = by.what == kind::lane &&
              machine.waits_at(state, by.unit).kind == simt::operation_kind::memory &&
              machine.reading_of(state, by).is_fence;
      const auto next = list.state(*t, machine.words());
      state.assign(next.begin(), next.end());
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<execution> race_under_ptx(session& run, const execution& in_order,
                                        const limits& bounds) {
  simt::machine& machine = run.machine();
  const asked_in_time patience(machine.stores().program, bounds);
  std::optional<execution> result;
  try {
    do {  // again, with what was learnt
      machine.begin_again();
      unless_void(machine, [&] { result = follow_in_order(machine, in_order); });
    } while (machine.has_news() && !bounds.is_over());
  } catch (const simt::lane_automaton::given_up&) {
    result.reset();
  }
  if (machine.has_news()) machine.begin_again();
  return result;
}

}  // namespace warpcheck
