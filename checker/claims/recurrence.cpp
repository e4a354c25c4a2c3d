#include "checker/claims/recurrence.hpp"

#include <algorithm>
#include <deque>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace warpcheck {

bool step_filter::admits(const graph_step& step) const {
  if (completes_nothing && !step.completes.empty()) return false;
  if (completes_not && std::ranges::binary_search(step.completes, *completes_not)) return false;
  return !only || step.units.empty() || std::ranges::binary_search(step.units, *only);
}

recurrences::recurrences(const operation_graph& graph)
    : graph_(graph),
      distance_(graph.size(), unknown),
      arrives_by_(graph.size()),
      comes_from_(graph.size()),
      component_(graph.size(), outside) {
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

// Tarjan 1972.
void recurrences::each(const step_filter& filter,
                       const std::function<void(const std::vector<state_id>&)>& visit) {
  admitted_.clear();
  for (const graph_step& step : graph_.steps) admitted_.push_back(filter.admits(step) ? 1 : 0);
  std::ranges::fill(component_, outside);
  current_ = 0;

  struct frame {
    state_id state;
    std::uint64_t next;  // edge to look at
  };
  std::vector<std::uint32_t> index(graph_.size(), 0);  // 0: not seen
  std::vector<std::uint32_t> low(graph_.size(), 0);
  std::vector<char> open(graph_.size(), 0);
  std::vector<state_id> stack, members;
  std::vector<frame> path;
  std::uint32_t count = 0;
  const auto enter = [&](state_id s) {
    index[s] = low[s] = ++count;
    open[s] = 1;
    stack.push_back(s);
    path.push_back({s, graph_.first[s]});
  };
  const auto leave = [&](state_id s) {
    members.clear();
    while (true) {
      const state_id m = stack.back();
      stack.pop_back();
      open[m] = 0;
      component_[m] = current_;
      members.push_back(m);
      if (m == s) break;
    }
    const bool has_step = members.size() > 1 ||
                          std::ranges::any_of(graph_.out(s), [&](const operation_graph::edge& e) {
                            return e.to == s && admitted_[e.step] != 0;
                          });
    if (has_step) visit(members);
    ++current_;
  };
  for (state_id root = 0; root < graph_.size(); ++root) {
    if (index[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      frame& top = path.back();
      const state_id s = top.state;
      if (top.next < graph_.first[s + 1]) {
        const operation_graph::edge& e = graph_.edges[top.next++];
        if (e.to == operation_graph::no_state || admitted_[e.step] == 0) continue;
        if (index[e.to] == 0) {
          enter(e.to);
        } else if (open[e.to] != 0) {
          low[s] = std::min(low[s], index[e.to]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().state] = std::min(low[path.back().state], low[s]);
      if (low[s] == index[s]) leave(s);
    }
  }
}

bool recurrences::serves(state_id s, need what) const {
  if (what.what != need::kind::service || graph_.status(s).awaits_choice) return false;
  return graph_.status(s).owed[what.who] == 0 || !graph_.is_enabled(what.who, s);
}

bool recurrences::serves(const operation_graph::edge& e, need what) const {
  const graph_step& step = graph_.steps[e.step];
  if (what.what != need::kind::completion) {
    return std::ranges::binary_search(step.units, what.who);
  }
  return std::ranges::any_of(step.completes,
                             [&](std::uint32_t client) { return client != what.who; });
}

bool recurrences::meets(const std::vector<state_id>& members, need what) const {
  for (const state_id s : members) {
    if (serves(s, what)) return true;
    for (const operation_graph::edge& e : graph_.out(s)) {
      const bool inside = e.to != operation_graph::no_state && admitted_[e.step] != 0 &&
                          component_[e.to] == component_[s];
      if (inside && serves(e, what)) return true;
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

graph_lasso recurrences::lasso(const std::vector<state_id>& members, const step_filter& filter,
                               const std::vector<need>& needs) const {
  const boost::unordered_flat_set<state_id> inside(members.begin(), members.end());
  const state_id entry =
      *std::ranges::min_element(members, {}, [&](state_id s) { return distance_[s]; });
  std::vector<char> admitted;
  for (const graph_step& step : graph_.steps) admitted.push_back(filter.admits(step) ? 1 : 0);
  graph_lasso result{way(entry), {}, 0};

  state_id at = entry;
  // Appends a shortest walk whose last edge, or the state that it leads to, is wanted.
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
      for (std::uint64_t i = graph_.first[s]; i < graph_.first[s + 1]; ++i) {
        const operation_graph::edge& e = graph_.edges[i];
        if (e.to == operation_graph::no_state || admitted[e.step] == 0 || !inside.contains(e.to)) {
          continue;
        }
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
  for (const need& what : needs) {
    bool met = serves(entry, what);
    for (const std::uint64_t i : result.cycle) {
      met = met || serves(graph_.edges[i], what) || serves(graph_.edges[i].to, what);
    }
    if (met) continue;
    walk([&](const operation_graph::edge& e) { return serves(e, what) || serves(e.to, what); });
  }
  if (at != entry || result.cycle.empty()) {
    walk([&](const operation_graph::edge& e) { return e.to == entry; });
  }
  return result;
}

}  // namespace warpcheck
