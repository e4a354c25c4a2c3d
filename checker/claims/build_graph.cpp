// Lists the steps of each state with their units, and the clients whose operations they complete.
#include "checker/claims/build_graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checker/liveness/held_back.hpp"
#include "checker/states/machine_shape.hpp"

namespace warpcheck {
namespace {

constexpr state_id states_between_looks = 1024;  // states

}  // namespace

graph_builder::graph_builder(simt::machine& machine, operation_span span, const limits& bounds)
    : machine_(machine), span_(span), limits_(bounds), table_(shape_of(machine)) {
  graph_.units = machine.units();
  for (std::uint32_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
    graph_.unit_of.push_back(machine.unit_of_lane(lane));
  }
  lane_steps_.assign(2 * graph_.unit_of.size(), unknown);
}

void graph_builder::run(std::span<const simt::state_words> roots) {
  for (const simt::state_words& root : roots) table_.intern(root);
  compressed_table::cursor here;
  simt::successor_list list;
  state_id s = 0;
  for (; s < table_.size() && !out_of_bounds(s); ++s) {
    table_.read(s, here);
    const simt::state_words state(here.words().begin(), here.words().end());
    try {
      machine_.steps(state, list);
    } catch (const simt::lane_automaton::given_up&) {
      stopped_ = limits_.reached(memory());
      break;
    }
    if (machine_.has_news()) return;
    expand(state, list);
    graph_.status_of.push_back(status_of(state, list, list.here != simt::ending::none));
  }
  for (list.clear(); s < table_.size(); ++s) {
    graph_.first.push_back(graph_.edges.size());
    graph_.status_of.push_back(status_of(table_.read(s), list, true));
  }
}

void graph_builder::expand(simt::state_view state, const simt::successor_list& list) {
  for (const simt::transition& t : list.transitions) {
    if (t.ends != simt::ending::none) {
      graph_.edges.push_back({operation_graph::no_state, step_of(state, t, state)});
      continue;
    }
    const simt::state_view next = list.state(t, machine_.words());
    follow_operations(state, t, next);
    graph_.edges.push_back({table_.intern(next).id, step_of(state, t, next)});
  }
  graph_.first.push_back(graph_.edges.size());
}

// Notes for each new continuation whether it lies inside an operation. Outside, there are only
// calls and (under `stack`) branches of the workload.
void graph_builder::follow_operations(simt::state_view state, const simt::transition& t,
                                      simt::state_view next) {
  if (span_ != operation_span::events) return;
  for (std::uint32_t lane = 0; lane < graph_.clients(); ++lane) {
    if (state[lane] == next[lane] || next[lane] == simt::exited) continue;
    const simt::operation_kind at = machine_.waits_at(state, lane).kind;
    const bool steps = t.by.what == simt::choice::kind::lane && t.by.unit == lane;
    const bool inside = steps && at == simt::operation_kind::called     ? true
                        : steps && at == simt::operation_kind::returned ? false
                                                                        : is_pending(state[lane]);
    if (next[lane] >= pending_.size()) pending_.resize(next[lane] + 1, 0);
    pending_[next[lane]] = inside ? 1 : 0;
  }
}

std::uint32_t graph_builder::step_of(simt::state_view state, const simt::transition& t,
                                     simt::state_view next) {
  // Nearly all steps are of one lane, so they are looked up by the lane.
  const auto kind_at = [&](std::uint32_t lane) { return machine_.waits_at(state, lane).kind; };
  const bool alone = t.by.what == simt::choice::kind::lane && !t.by.is_at_choose() &&
                     t.ends == simt::ending::none && span_ == operation_span::events &&
                     machine_.traits_of_memory().is_image &&
                     kind_at(t.by.unit) != simt::operation_kind::called;
  if (alone) {
    const bool returns = kind_at(t.by.unit) == simt::operation_kind::returned;
    std::uint32_t& known = lane_steps_[2 * t.by.unit + (returns ? 1U : 0U)];
    if (known == unknown) {
      known = static_cast<std::uint32_t>(graph_.steps.size());
      graph_step& step = graph_.steps.emplace_back();
      step.by = t.by;
      step.units.push_back(machine_.unit_of_lane(t.by.unit));
      (returns ? step.completes : step.counts).push_back(t.by.unit);
    }
    return known;
  }
  graph_step step;
  step.by = t.by;
  if (t.location != simt::transition::no_state) {
    step.access = number_of(t);
    step.is_stale = t.is_stale;
  }
  machine_.for_each_lane(t.by, state, [&](std::uint32_t lane) {
    step.units.push_back(machine_.unit_of_lane(lane));
    if (t.ends != simt::ending::none) return;
    if (span_ == operation_span::body) {
      step.counts.push_back(lane);
      if (state[lane] != simt::exited && next[lane] == simt::exited) step.completes.push_back(lane);
      return;
    }
    const simt::operation& at = machine_.waits_at(state, lane);
    if (at.kind == simt::operation_kind::called) {
      step.calls.push_back({lane, at.number});
    } else {
      (at.kind == simt::operation_kind::returned ? step.completes : step.counts).push_back(lane);
    }
  });
  // Under `stack`, a lane may exit when others arrive at the point where it waits.
  if (span_ == operation_span::body && t.ends == simt::ending::none) {
    for (std::uint32_t lane = 0; lane < graph_.clients(); ++lane) {
      if (state[lane] != simt::exited && next[lane] == simt::exited) step.completes.push_back(lane);
    }
  }
  for (auto* list : {&step.units, &step.completes, &step.counts}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  std::string key = fmt::format("{} {} {} {} {}", static_cast<int>(t.by.what), t.by.unit, t.by.mask,
                                step.access, step.is_stale);
  for (const std::uint32_t unit : step.units) key += fmt::format(" {}", unit);
  for (const std::uint32_t client : step.completes) key += fmt::format(",{}", client);
  for (const std::uint32_t client : step.counts) key += fmt::format("+{}", client);
  for (const graph_call& c : step.calls) key += fmt::format(" {}:{}", c.client, c.operation);
  const auto [at, is_new] =
      steps_.try_emplace(std::move(key), static_cast<std::uint32_t>(graph_.steps.size()));
  if (is_new) graph_.steps.push_back(std::move(step));
  return at->second;
}

std::uint32_t graph_builder::number_of(const simt::transition& access) {
  const std::uint64_t key = std::uint64_t{access.by.unit} << 32 | access.location;
  const auto [at, is_new] = accesses_.try_emplace(key, graph_.accesses);
  if (is_new) ++graph_.accesses;
  return at->second;
}

std::uint32_t graph_builder::status_of(simt::state_view state, const simt::successor_list& list,
                                       bool ends) {
  graph_status status;
  status.awaits_choice = list.is_choice;
  status.ends = ends;
  for (std::uint32_t lane = 0; lane < graph_.clients(); ++lane) {
    const bool left = state[lane] != simt::exited;
    const bool started = left && machine_.is_resident(state, machine_.places().lanes[lane].block);
    status.left.push_back(left ? 1 : 0);
    status.pending.push_back(
        (span_ == operation_span::events ? left && is_pending(state[lane]) : started) ? 1 : 0);
  }
  machine_.list_owed(state, status.owed);
  if (machine_.has_promises(state)) {
    status.promised = graph_.has_promises = true;
    status.held_back = units_at_memory(machine_, state);
  }
  std::string key(1, static_cast<char>((status.awaits_choice ? 1 : 0) + (status.ends ? 2 : 0)));
  key.append(status.left.begin(), status.left.end());
  key.append(status.pending.begin(), status.pending.end());
  key.append(status.owed.begin(), status.owed.end());
  key.append(status.held_back.begin(), status.held_back.end());
  const auto [at, is_new] =
      statuses_.try_emplace(std::move(key), static_cast<std::uint32_t>(graph_.statuses.size()));
  if (is_new) graph_.statuses.push_back(std::move(status));
  return at->second;
}

bool graph_builder::out_of_bounds(state_id expanded) {
  if (expanded % states_between_looks != 0 || expanded == 0) return false;
  if (limits_.progress) {
    limits_.progress({table_.size(), graph_.edges.size(), 0, memory()});
  }
  stopped_ = limits_.reached(memory());
  if (stopped_.empty() && limits_.max_states && table_.size() >= *limits_.max_states) {
    stopped_ = limits::reached_states(*limits_.max_states);
  }
  return !stopped_.empty();
}

}  // namespace warpcheck
