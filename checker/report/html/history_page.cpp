// Picks the operations to show, and writes them with the steps of their calls and returns.
#include "checker/report/html/history_page.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_bars = 400;

/// `shown` lists the operations from top to bottom.
json bars_of(const history& of, const simt::spec::specification& spec,
             const history_evidence& evidence, const std::vector<std::uint32_t>& shown,
             std::string_view where) {
  json operations = json::array();
  for (const std::uint32_t i : shown) {
    const recorded_operation& o = of.operations[i];
    json one{{"client", of.clients[o.what.client]},
             {"text", operation_text(of, spec, o)},
             {"called", o.called},
             {"returns", o.completed ? json(o.returns) : json()},
             {"call", o.call_line},
             {"return", o.completed ? json(o.return_line) : json()}};
    if (std::ranges::find(evidence.operations, i) != evidence.operations.end()) {
      one["unexplained"] = true;
    }
    if (evidence.stuck == i) one["stuck"] = true;
    operations.push_back(std::move(one));
  }
  return {{"where", where}, {"operations", std::move(operations)}};
}

/// Returns all operations of a short history. For a long one, returns those that overlap the
/// evidence in time, or its beginning if there is no evidence.
std::vector<std::uint32_t> operations_to_show(const history& of, const history_evidence& evidence) {
  std::vector<std::uint32_t> shown;
  event_time begin = 0, end = never;
  if (of.operations.size() > most_bars && !evidence.operations.empty()) {
    begin = never;
    end = 0;
    for (const std::uint32_t i : evidence.operations) {
      begin = std::min(begin, of.operations[i].called);
      end = std::max(
          end, of.operations[i].completed ? of.operations[i].returns : of.operations[i].called);
    }
  }
  for (std::uint32_t i = 0; i < of.operations.size(); ++i) {
    const recorded_operation& o = of.operations[i];
    const bool is_evidence = std::ranges::find(evidence.operations, i) != evidence.operations.end();
    const bool overlaps = o.called <= end && o.returns >= begin;
    if (is_evidence || (overlaps && shown.size() < most_bars)) shown.push_back(i);
  }
  std::ranges::stable_sort(shown, {},
                           [&](std::uint32_t i) { return of.operations[i].what.client; });
  return shown;
}

}  // namespace

json bars_document(const object_history& h) {
  return bars_of(h.of, *h.spec, h.evidence, operations_to_show(h.of, h.evidence), "steps");
}

json history_document(const history_report& r) {
  const history_evidence& evidence = r.result.evidence;
  const std::vector<std::uint32_t> shown = operations_to_show(r.of, evidence);
  json notes = json::array();
  if (shown.size() < r.of.operations.size()) {
    notes.push_back(fmt::format("Shown are {} of {}.", grouped(shown.size()),
                                counted(r.of.operations.size(), "operation", "operations")));
  }
  return {{"kind", "history"},
          {"title", fmt::format("{}  [{}]", r.file, r.spec.name())},
          {"verdict", verdict_name(r.wanted, r.result.decided)},
          {"mark", mark_of(r.result.decided)},
          {"size", size_of(r)},
          {"why", sentences_about(r)},
          {"notes", std::move(notes)},
          {"history", bars_of(r.of, r.spec, evidence, shown, "lines")},
          {"order", order_of(r)}};
}

}  // namespace warpcheck
