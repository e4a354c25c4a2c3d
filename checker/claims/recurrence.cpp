// Finds strongly connected sets of an operation graph in which memory is fair, and builds lassos in
// them.
#include "checker/claims/recurrence.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <ranges>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/components.hpp"

namespace warpcheck {
namespace {

constexpr std::uint32_t states_in_time = 1'024;  // states between two calls of look()

}  // namespace

bool step_filter::admits(const graph_step& step) const {
  if (completes_nothing && !step.completes.empty()) return false;
  if (completes_not && std::ranges::binary_search(step.completes, *completes_not)) return false;
  if (!only) return true;
  // A promise is made for another lane to read.
  if (step.by.what == simt::choice::kind::promise) return false;
  return step.units.empty() || std::ranges::binary_search(step.units, *only);
}

recurrences::recurrences(const operation_graph& graph, std::function<void()> look)
    : graph_(graph),
      look_(std::move(look)),
      distance_(graph.size(), unknown),
      arrives_by_(graph.size()),
      comes_from_(graph.size()),
      component_(graph.size(), outside),
      number_(graph.size(), 0) {
  std::deque<state_id> queue{0};
  distance_[0] = 0;
  while (!queue.empty()) {
    const state_id s = queue.front();
    queue.pop_front();
    for (std::uint64_t i = graph.first[s]; i < graph.first[s + 1]; ++i) {
      const state_id to = graph.edges[i].to;
      if (to == operation_graph::no_state || distance_[to] != unknown) continue;
      distance_[to] = distance_[s] + 1;
      arrives_by_[to] = i;
      comes_from_[to] = s;
      queue.push_back(to);
    }
  }
}

// Returns the strongly connected sets with a step inside, within a set of states that is one
// component so far.
std::vector<recurrences::set> recurrences::components(const set& of) {
  for (std::uint32_t i = 0; i < of.size(); ++i) number_[of[i]] = i;
  const std::uint32_t within = component_[of.front()];
  std::uint32_t count = 0;
  const simt::components parts = simt::components_of(of.size(), [&](std::uint32_t i, auto f) {
    if (count++ % states_in_time == 0) look();
    for (const operation_graph::edge& e : std::views::reverse(graph_.out(of[i]))) {
      if (e.to == operation_graph::no_state || admitted_[e.step] == 0) continue;
      if (component_[e.to] == within) f(number_[e.to]);
    }
  });
  std::vector<set> all;
  for (auto at = parts.order.begin(); at != parts.order.end();) {
    set members;
    for (const std::uint32_t part = parts.of[*at]; at != parts.order.end() && parts.of[*at] == part;
         ++at) {
      component_[of[*at]] = current_ + part;
      members.push_back(of[*at]);
    }
    const state_id s = members.front();
    const bool has_step =
        members.size() > 1 ||
        std::ranges::any_of(graph_.out(s), [&](const auto& e) { return is_inside(s, e); });
    if (has_step) all.push_back(std::move(members));
  }
  current_ += parts.count;
  return all;
}

std::vector<recurrences::set> recurrences::sets_under(const step_filter& filter) {
  admitted_.clear();
  for (const graph_step& step : graph_.steps) admitted_.push_back(filter.admits(step) ? 1 : 0);
  std::ranges::fill(component_, outside);
  current_ = 0;
  set all(graph_.size());
  std::iota(all.begin(), all.end(), state_id{0});
  return components(all);
}

void recurrences::each(const step_filter& filter,
                       const std::function<void(const std::vector<state_id>&)>& visit) {
  for (const set& members : sets_under(filter)) visit_fair(members, visit);
}

void recurrences::each_set(const step_filter& filter,
                           const std::function<void(const std::vector<state_id>&)>& visit) {
  for (const set& members : sets_under(filter)) visit(members);
}

void recurrences::visit_fair(const set& members, const std::function<void(const set&)>& visit) {
  const bool keeps =
      std::ranges::any_of(members, [&](state_id s) { return !graph_.status(s).promised; });
  if (!keeps) return;
  const std::vector<char> stale = only_stale(members);
  if (std::ranges::find(stale, 1) == stale.end()) return visit(members);
  std::vector<char> before = admitted_;
  for (std::size_t i = 0; i < admitted_.size(); ++i) {
    const graph_step& step = graph_.steps[i];
    if (step.is_stale && stale[step.access] != 0) admitted_[i] = 0;
  }
  for (const set& part : components(members)) visit_fair(part, visit);
  admitted_.swap(before);
}

// For each number of an access: whether all its steps within the set are stale.
std::vector<char> recurrences::only_stale(const set& members) const {
  std::vector<char> stale(graph_.accesses, 0), fresh(graph_.accesses, 0);
  if (graph_.accesses == 0) return stale;
  for (const state_id s : members) {
    for (const operation_graph::edge& e : graph_.out(s)) {
      const graph_step& step = graph_.steps[e.step];
      if (step.access == graph_step::no_access || !is_inside(s, e)) continue;
      (step.is_stale ? stale : fresh)[step.access] = 1;
    }
  }
  for (std::size_t i = 0; i < stale.size(); ++i) stale[i] = stale[i] != 0 && fresh[i] == 0 ? 1 : 0;
  return stale;
}

bool recurrences::serves(state_id s, need what) const {
  if (what.what == need::kind::kept) return !graph_.status(s).promised;
  if (what.what != need::kind::service || graph_.status(s).awaits_choice) return false;
  return graph_.status(s).owed[what.who] == 0 || !graph_.is_enabled(what.who, s);
}

bool recurrences::serves(const operation_graph::edge& e, need what) const {
  const graph_step& step = graph_.steps[e.step];
  if (what.what == need::kind::kept) return false;
  if (what.what != need::kind::completion) {
    return std::ranges::binary_search(step.units, what.who);
  }
  return std::ranges::any_of(step.completes,
                             [&](std::uint32_t client) { return client != what.who; });
}

bool recurrences::meets(const std::vector<state_id>& members, need what) const {
  look();
  for (const state_id s : members) {
    if (serves(s, what)) return true;
    for (const operation_graph::edge& e : graph_.out(s)) {
      if (is_inside(s, e) && serves(e, what)) return true;
    }
  }
  return false;
}

std::uint32_t recurrences::distance(const std::vector<state_id>& members) const {
  std::uint32_t least = unknown;
  for (const state_id s : members) least = std::min(least, distance_[s]);
  return least;
}

std::vector<std::uint64_t> recurrences::way(state_id to) const {
  std::vector<std::uint64_t> reversed;
  for (state_id s = to; s != 0; s = comes_from_[s]) reversed.push_back(arrives_by_[s]);
  return {reversed.rbegin(), reversed.rend()};
}

graph_lasso recurrences::lasso(const std::vector<state_id>& members,
                               const std::vector<need>& needs) const {
  const state_id entry =
      *std::ranges::min_element(members, {}, [&](state_id s) { return distance_[s]; });
  graph_lasso result{way(entry), {}, 0};

  state_id at = entry;
  // Appends a shortest walk whose last edge, or the state that this leads to, is wanted.
  const auto walk = [&](const auto& wanted) {
    struct arrival {
      state_id from;
      std::uint64_t edge;
    };
    boost::unordered_flat_map<state_id, arrival> seen{{at, {at, 0}}};
    std::deque<state_id> queue{at};
    while (!queue.empty()) {
      const state_id s = queue.front();
      queue.pop_front();
      if (queue.size() % states_in_time == 0) look();
      for (std::uint64_t i = graph_.first[s]; i < graph_.first[s + 1]; ++i) {
        const operation_graph::edge& e = graph_.edges[i];
        if (!is_inside(s, e)) continue;
        if (wanted(e)) {
          std::vector<std::uint64_t> reversed{i};
          for (state_id back = s; back != at; back = seen.at(back).from) {
            reversed.push_back(seen.at(back).edge);
          }
          result.cycle.insert(result.cycle.end(), reversed.rbegin(), reversed.rend());
          at = e.to;
          return;
        }
        if (seen.emplace(e.to, arrival{s, i}).second) queue.push_back(e.to);
      }
    }
  };
  const auto meet = [&](const need& what) {
    bool met = serves(entry, what);
    for (const std::uint64_t i : result.cycle) {
      met = met || serves(graph_.edges[i], what) || serves(graph_.edges[i].to, what);
    }
    if (met) return;
    walk([&](const operation_graph::edge& e) { return serves(e, what) || serves(e.to, what); });
  };
  const auto go_home = [&] { walk([&](const operation_graph::edge& e) { return e.to == entry; }); };
  for (const need& what : needs) meet(what);
  if (graph_.has_promises) meet({need::kind::kept, 0});
  if (at != entry || result.cycle.empty()) go_home();
  // Each round adds a step in which one more access is not stale.
  while (const auto stale = first_stale(result.cycle)) {
    walk([&](const operation_graph::edge& e) {
      const graph_step& step = graph_.steps[e.step];
      return step.access == *stale && !step.is_stale;
    });
    if (at != entry) go_home();
  }
  return result;
}

// Returns an access that is stale in every step of the cycle that makes it.
std::optional<std::uint32_t> recurrences::first_stale(
    const std::vector<std::uint64_t>& cycle) const {
  std::vector<char> stale(graph_.accesses, 0), fresh(graph_.accesses, 0);
  for (const std::uint64_t i : cycle) {
    const graph_step& step = graph_.steps[graph_.edges[i].step];
    if (step.access != graph_step::no_access) (step.is_stale ? stale : fresh)[step.access] = 1;
  }
  for (std::uint32_t i = 0; i < stale.size(); ++i) {
    if (stale[i] != 0 && fresh[i] == 0) return i;
  }
  return std::nullopt;
}

}  // namespace warpcheck
