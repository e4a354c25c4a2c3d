// Writes sentences for claims that do not hold and for starvation. The execution shows which lanes
// take steps in its cycle, and whose operations complete there.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/cause/parts.hpp"
#include "checker/report/operation_spans.hpp"
#include "checker/scenario/scenario_limits.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

/// Returns "pop of w0.l1" or "counter of w0.l0 and w0.l2".
std::string whose(const operation_spans& spans, names& named,
                  const std::vector<std::uint32_t>& lanes) {
  const std::string operation = spans.operation(lanes.front(), named);
  const bool alike = std::ranges::all_of(
      lanes, [&](std::uint32_t lane) { return spans.operation(lane, named) == operation; });
  return fmt::format("{} of {}", alike ? operation : "operations", named.lanes(lanes));
}

/// Returns where a lane takes its steps from step number `begin` on, in order: "treiber.hpp:17
/// (push)".
std::string places_of(const trace& t, std::uint32_t lane, std::size_t begin) {
  constexpr std::size_t most = 4;
  std::vector<std::string> places;
  bool more = false;
  for (std::size_t i = begin; i < t.steps.size(); ++i) {
    for (const lane_action& a : t.steps[i].actions) {
      if (a.lane != lane || simt::is_event(a.op.kind) || !a.at.known()) continue;
      const std::string place = a.at.text_with_function();
      if (std::ranges::find(places, place) != places.end()) continue;
      more = more || places.size() == most;
      if (places.size() < most) places.push_back(place);
    }
  }
  return fmt::format("{}{}", fmt::join(places, ", "), more ? ", …" : "");
}

/// An operation that takes more steps than it may.
struct long_operation {
  std::uint32_t lane = 0;
  std::string name;
  std::size_t begin = 0;  // index of the first step of the trace that is inside
  std::uint32_t steps = 0;
  std::uint32_t bound = 0;
  bool returns = false;
};

/// Returns the first operation of the trace that takes more steps than it may.
std::optional<long_operation> find_long_operation(const session& run, const names& named,
                                                  const trace& t, bool has_events) {
  const step_bounds& bounds = run.subject().bounds;
  std::map<std::uint32_t, long_operation> inside;  // by lane
  std::optional<long_operation> first;
  for (std::size_t i = 0; i < t.steps.size() && !bounds.empty(); ++i) {
    for (const lane_action& a : t.steps[i].actions) {
      if (has_events && a.op.kind == simt::operation_kind::called) {
        const std::string name = named.object_operation(a.op.number).name;
        inside[a.lane] = {a.lane, name, i, 0, bounds.of(name).value_or(max_step_bound), false};
        continue;
      }
      const bool is_return = has_events && a.op.kind == simt::operation_kind::returned;
      if (!has_events && !inside.contains(a.lane)) {
        inside[a.lane] = {a.lane, "body", i, 0, bounds.each.value_or(max_step_bound), false};
      }
      const auto at = inside.find(a.lane);
      if (at == inside.end()) continue;
      if (!is_return) ++at->second.steps;
      const bool is_first = at->second.steps == at->second.bound + 1;
      if (is_first && !first) first = at->second;
      if (first && first->lane == a.lane && first->begin == at->second.begin) {
        first->steps = at->second.steps;
        first->returns = is_return || (!has_events && a.exits);
      }
      if (is_return) inside.erase(at);
    }
  }
  return first;
}

std::string when_blocked(const trace& t, names& named, const operation_spans& spans) {
  if (t.stuck) return "nothing can happen any more, and operations are pending";
  const std::uint32_t lane = spans.blocked.front();
  const bool one = spans.blocked.size() == 1;
  return fmt::format("{} {} at {} and cannot take a step unless others do, who may never come",
                     whose(spans, named, spans.blocked), one ? "waits" : "wait",
                     t.last_positions[lane].resumes_at.known()
                         ? t.last_positions[lane].resumes_at.text_with_function()
                         : spans.blocked_at.text_with_function());
}

std::string headline(const session& run, names& named, const violation& v, const trace& t,
                     const operation_spans& spans) {
  const std::string others = named.lanes(spans.completing);
  const bool one_other = spans.completing.size() == 1;
  const std::string while_others = spans.completing.empty()
                                       ? std::string("and nobody else completes one either")
                                       : fmt::format("while {} {} operations again and again",
                                                     others, one_other ? "completes" : "complete");
  if (v.kind == verdict::starvation) {
    return fmt::format(
        "The {} never completes in this{} run, {}.", whose(spans, named, spans.never_completing),
        run.settings().progress == simt::progress::fair ? " fair" : "", while_others);
  }
  const guarantee claim = run.subject().claims.value_or(guarantee::blocking);
  if (const auto found = find_long_operation(run, named, t, spans.has_events);
      found && !t.has_cycle()) {
    return fmt::format("The {} of {} takes {} steps of its own{}; its bound is {}.", found->name,
                       named.lane(found->lane), found->steps,
                       found->returns ? "" : " and has not returned", found->bound);
  }
  if (!t.has_cycle() && !run.subject().claims) {
    return fmt::format("Not within its bound: the {}.", when_blocked(t, named, spans));
  }
  if (!t.has_cycle()) {
    return fmt::format("Not {}: the {}.", name(claim), when_blocked(t, named, spans));
  }
  switch (claim) {
    case guarantee::wait_free:
      return fmt::format("Not wait-free: the {} takes steps for ever without completing, {}.",
                         whose(spans, named, spans.waiting), while_others);
    case guarantee::lock_free:
      return fmt::format("Not lock-free: {} {} steps for ever, and no operation completes.",
                         named.lanes(spans.stepping),
                         spans.stepping.size() == 1 ? "takes" : "take");
    case guarantee::obstruction_free:
      return fmt::format(
          "Not obstruction-free: {} {} alone from here on, and the {} never completes.",
          named.lanes(spans.stepping), spans.stepping.size() == 1 ? "runs" : "run",
          whose(spans, named, spans.waiting));
    case guarantee::blocking: break;
  }
  return "Not even deadlock-free: in this cycle, fair to all, no operation completes.";
}

}  // namespace

std::vector<std::string> why_progress_ends(session& run, names& named, const violation& v,
                                           const trace& t) {
  const operation_spans spans = spans_of(run, named, t);
  std::vector<std::string> why{headline(run, named, v, t, spans)};
  if (const auto found = find_long_operation(run, named, t, spans.has_events);
      found && !t.has_cycle()) {
    why.push_back(fmt::format("It takes them at {}.", places_of(t, found->lane, found->begin)));
  }
  if (!t.has_cycle()) return why;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < spans.never_completing.size() && i < most; ++i) {
    const std::uint32_t lane = spans.never_completing[i];
    const std::string places = places_of(t, lane, t.cycle_begin);
    if (!places.empty()) {
      why.push_back(
          fmt::format("In the cycle {} takes its steps at {}.", named.lane(lane), places));
    } else if (v.kind == verdict::starvation) {
      why.push_back(fmt::format("In the cycle {} takes no step.", named.lane(lane)));
    }
  }
  return why;
}

std::string progress_not_shown(session& run, names& named, const trace& t, verdict kind) {
  const operation_spans spans = spans_of(run, named, t);
  if (kind == verdict::starvation) {
    if (!t.has_cycle()) return "it has no cycle";
    if (spans.never_completing.empty()) return "no operation waits throughout its cycle";
    return spans.completing.empty() ? "nobody completes an operation in its cycle" : "";
  }
  const auto claim = run.subject().claims;
  if (!run.subject().claims_progress()) return "nothing is claimed";
  if (!t.has_cycle()) {
    if (find_long_operation(run, named, t, spans.has_events)) return "";
    return t.stuck || !spans.blocked.empty() ? "" : "it has no cycle, and nobody is blocked";
  }
  if (!claim) return "it has a cycle, and only a bound on steps is claimed";
  if (claim == guarantee::wait_free) {
    return spans.waiting.empty() ? "no operation takes steps throughout its cycle" : "";
  }
  if (!spans.completing.empty()) return "an operation completes in its cycle";
  if (claim == guarantee::obstruction_free && spans.units != 1) return "others take steps as well";
  return "";
}

}  // namespace warpcheck
