// Collects calls and returns from a trace, and looks for the evidence against every order.
#include "checker/report/object_history.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "checker/history/transactions.hpp"
#include "checker/report/history_report.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;
using simt::operation_kind;

/// Returns the kind of consistency that the violation is of.
consistency consistency_of(verdict kind, const simt::spec::specification& spec) {
  switch (kind) {
    case verdict::not_sequentially_consistent: return consistency::sequential;
    case verdict::not_quiescently_consistent: return consistency::quiescent;
    case verdict::not_strictly_serializable: return consistency::strictly_serializable;
    default: return usual_consistency(spec);
  }
}

/// Collects events in their order.
class collector {
 public:
  explicit collector(const simt::history_monitor& monitor) : monitor_(monitor) {}

  void add(const simt::operation& op, const std::string& client, std::uint32_t step) {
    const auto [number, is_new] =
        numbers_.try_emplace(client, static_cast<std::uint32_t>(made.clients.size()));
    if (is_new) made.clients.push_back(client);
    const event_time now = ++time_;
    if (op.kind == operation_kind::called) {
      open_[client] = made.operations.size();
      recorded_operation one;
      one.what = monitor_.call_of(op, number->second);
      one.called = now;
      one.call_line = step;
      made.operations.push_back(one);
      return;
    }
    recorded_operation& one = made.operations[open_.at(client)];
    one.completed = true;
    one.returned = monitor_.result_of(op);
    one.returns = now;
    one.return_line = step;
  }

  history made;

 private:
  const simt::history_monitor& monitor_;
  event_time time_ = 0;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::string, std::size_t> open_;
};

}  // namespace

object_history history_of(session& run, const trace& t, verdict kind) {
  collector events(*run.object().monitor);
  const simt::grid_shape& grid = run.setup().grid;
  for (const simt::operation& op : run.machine().initial_events()) {
    events.add(op, "initial", 0);
  }
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) {
      if (!is_event(a.op.kind)) continue;
      events.add(a.op, simt::lane_name(a.lane, grid), step.number);
    }
  }
  object_history h{run.object().spec, std::move(events.made), {}};
  history_options options;
  options.wanted = consistency_of(kind, *h.spec);
  h.evidence = check_history(h.of, *h.spec, options).evidence;
  return h;
}

std::string bars(const object_history& h, std::size_t width) {
  std::vector<std::uint32_t> all(h.of.operations.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  // Sort the operations client by client.
  std::ranges::stable_sort(all, {},
                           [&](std::uint32_t i) { return h.of.operations[i].what.client; });
  return history_bars(h.of, *h.spec, all, "steps", width);
}

json to_json(const object_history& h) {
  json operations = json::array();
  for (const recorded_operation& o : h.of.operations) {
    json one = operation_json(h.of, *h.spec, o);
    one["call_step"] = o.call_line;
    one["return_step"] = o.completed ? json(o.return_line) : json();
    operations.push_back(std::move(one));
  }
  json j{{"spec", h.spec->name()}, {"operations", std::move(operations)}};
  if (is_of_transactions(*h.spec)) j["transactions"] = transactions_json(h.of, *h.spec);
  return j;
}

}  // namespace warpcheck
