// Makes steps of operations, and widens their intervals for quiescent consistency.
#include "checker/history/task.hpp"

#include <algorithm>

namespace warpcheck {

std::vector<timed_step> steps_of(const history& of, const simt::spec::specification& spec,
                                 std::span<const std::uint32_t> operations) {
  std::vector<timed_step> steps;
  steps.reserve(operations.size());
  for (const std::uint32_t index : operations) {
    const recorded_operation& o = of.operations[index];
    const std::uint32_t count = spec.operations()[o.what.operation].steps;
    for (std::uint32_t s = 0; s < count; ++s) {
      timed_step step;
      step.source = index;
      step.what = o.what;
      step.what.step = s;
      step.has_result = o.completed && s + 1 == count;
      step.must_happen = o.completed;
      step.returned = o.returned;
      step.called = o.called;
      step.returns = o.returns;
      if (s > 0) step.after = static_cast<std::uint32_t>(steps.size()) - 1;
      steps.push_back(step);
    }
  }
  return steps;
}

event_time end_of(std::span<const timed_step> steps) {
  event_time end = 0;
  for (const timed_step& s : steps) {
    end = std::max({end, s.called + 1, s.returns == never ? 0 : s.returns + 1});
  }
  return end;
}

void widen_to_quiescence(std::vector<timed_step>& steps) {
  const event_time at_last = end_of(steps);
  std::vector<timed_step*> by_call;
  for (timed_step& s : steps) by_call.push_back(&s);
  std::ranges::stable_sort(by_call, {}, &timed_step::called);
  for (std::size_t begin = 0; begin < by_call.size();) {
    const event_time first = by_call[begin]->called;
    event_time last = by_call[begin]->returns;
    std::size_t end = begin + 1;
    for (; end < by_call.size() && by_call[end]->called < last; ++end) {
      last = std::max(last, by_call[end]->returns);
    }
    for (; begin < end; ++begin) {
      by_call[begin]->called = first;
      // From a pending operation on, nothing is quiescent. So these steps return at the very end.
      if (by_call[begin]->returns != never) by_call[begin]->returns = std::min(last, at_last);
    }
  }
}

}  // namespace warpcheck
