// Writes sentences for claims that do not hold and for starvation. The execution shows which lanes
// take steps in its cycle, and whose operations complete there.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/cause/parts.hpp"
#include "checker/report/operation_spans.hpp"

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

/// Returns where a lane takes its steps in the cycle, in order: "treiber.hpp:17 (push)".
std::string places_in_cycle(const trace& t, std::uint32_t lane) {
  constexpr std::size_t most = 4;
  std::vector<std::string> places;
  bool more = false;
  for (std::size_t i = t.cycle_begin; i < t.steps.size(); ++i) {
    for (const lane_action& a : t.steps[i].actions) {
      if (a.lane != lane || !a.at.known()) continue;
      const std::string place = a.at.text_with_function();
      if (std::ranges::find(places, place) != places.end()) continue;
      more = more || places.size() == most;
      if (places.size() < most) places.push_back(place);
    }
  }
  return fmt::format("{}{}", fmt::join(places, ", "), more ? ", …" : "");
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
  if (!t.has_cycle()) return why;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < spans.never_completing.size() && i < most; ++i) {
    const std::uint32_t lane = spans.never_completing[i];
    const std::string places = places_in_cycle(t, lane);
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
  if (!claim) return "nothing is claimed";
  if (!t.has_cycle()) {
    return t.stuck || !spans.blocked.empty() ? "" : "it has no cycle, and nobody is blocked";
  }
  if (claim == guarantee::wait_free) {
    return spans.waiting.empty() ? "no operation takes steps throughout its cycle" : "";
  }
  if (!spans.completing.empty()) return "an operation completes in its cycle";
  if (claim == guarantee::obstruction_free && spans.units != 1) return "others take steps as well";
  return "";
}

}  // namespace warpcheck
