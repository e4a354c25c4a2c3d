// Follows calls and returns through the steps of an execution.
#include "checker/report/operation_spans.hpp"

#include <algorithm>
#include <set>

namespace warpcheck {
namespace {

using simt::operation_kind;

std::vector<std::uint32_t> listed(const std::set<std::uint32_t>& lanes) {
  return {lanes.begin(), lanes.end()};
}

}  // namespace

std::string operation_spans::operation(std::uint32_t lane, const names& named) const {
  const auto at = pending.find(lane);
  if (!has_events || at == pending.end()) return "body";
  return named.object_operation(at->second).name;
}

operation_spans spans_of(session& run, names& named, const trace& t) {
  simt::machine& machine = run.machine();
  operation_spans spans;
  spans.has_events = run.subject().never_ends() || !run.subject().threads.empty();
  if (!spans.has_events) {
    for (std::uint32_t lane = 0; lane < t.last_positions.size(); ++lane) {
      using kind = lane_position::kind;
      const kind what = t.last_positions[lane].what;
      if (what != kind::exited && what != kind::absent) spans.pending.emplace(lane, 0);
    }
  }
  std::set<std::uint32_t> stepping, completing, units;
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    for (const lane_action& a : t.steps[i].actions) {
      const bool returns = spans.has_events ? a.op.kind == operation_kind::returned : a.exits;
      if (spans.has_events && a.op.kind == operation_kind::called) {
        spans.pending[a.lane] = a.op.number;
      }
      if (returns) spans.pending.erase(a.lane);
      if (i < t.cycle_begin) continue;
      stepping.insert(a.lane);
      units.insert(machine.unit_of_lane(a.lane));
      if (returns) completing.insert(a.lane);
    }
  }
  spans.stepping = listed(stepping);
  spans.completing = listed(completing);
  spans.units = static_cast<std::uint32_t>(units.size());
  for (const auto& [lane, operation] : spans.pending) {
    if (completing.contains(lane)) continue;
    spans.never_completing.push_back(lane);
    if (units.contains(machine.unit_of_lane(lane))) spans.waiting.push_back(lane);
  }
  if (t.has_cycle() || t.here != simt::ending::none) return spans;
  simt::successor_list list;
  machine.steps(t.last, list);
  std::set<std::uint32_t> enabled;
  for (const simt::transition& step : list.transitions) {
    machine.for_each_lane(step.by, t.last,
                          [&](std::uint32_t lane) { enabled.insert(machine.unit_of_lane(lane)); });
  }
  if (list.is_choice) return spans;
  for (const auto& [lane, operation] : spans.pending) {
    if (enabled.contains(machine.unit_of_lane(lane))) continue;
    if (spans.blocked.empty()) spans.blocked_at = named.place(machine.waits_at(t.last, lane).pc);
    spans.blocked.push_back(lane);
  }
  return spans;
}

}  // namespace warpcheck
