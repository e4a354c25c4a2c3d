// Counts forward from the calls until no count rises, and searches for the shortest run beyond a
// bound.
#include "checker/claims/step_bounds.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include <boost/unordered/unordered_flat_map.hpp>

namespace warpcheck {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t places_in_time = 1'024;  // states between two calls of look()

bool is_among(const std::vector<std::uint32_t>& sorted, std::uint32_t one) {
  return std::ranges::binary_search(sorted, one);
}

bool begins(const graph_step& step, counted_operation what) {
  return what.operation &&
         std::ranges::find(step.calls, graph_call{what.client, *what.operation}) !=
             step.calls.end();
}

}  // namespace

step_counts::step_counts(const operation_graph& graph, recurrences& runs)
    : graph_(graph), runs_(runs), kept_(graph.size(), 1) {
  if (!graph.has_promises) return;
  // From a state where nothing is promised, and so from each state that leads there.
  for (state_id s = 0; s < graph.size(); ++s) kept_[s] = graph.status(s).promised ? 0 : 1;
  for (bool changed = true; changed;) {
    changed = false;
    runs_.look();
    for (state_id s = graph.size(); s-- > 0;) {
      if (kept_[s] != 0) continue;
      const bool leads = std::ranges::any_of(graph.out(s), [&](const operation_graph::edge& e) {
        return e.to != operation_graph::no_state && kept_[e.to] != 0;
      });
      if (!leads) continue;
      kept_[s] = 1;
      changed = true;
    }
  }
}

step_counts::counts step_counts::count(counted_operation what, std::int64_t limit) const {
  counts result{std::vector<std::int64_t>(graph_.size(), outside), 0};
  std::deque<state_id> open;
  std::vector<char> is_open(graph_.size(), 0);
  const auto reach = [&](state_id s, std::int64_t steps) {  // at most `limit` of them
    steps = std::min(steps, limit);
    if (steps <= result.at[s]) return;
    result.at[s] = steps;
    result.most = std::max(result.most, result.at[s]);
    if (is_open[s] != 0) return;
    is_open[s] = 1;
    open.push_back(s);
  };
  if (!what.operation) reach(0, 0);
  for (const operation_graph::edge& e : graph_.edges) {
    if (e.to == operation_graph::no_state || kept_[e.to] == 0) continue;
    if (begins(graph_.steps[e.step], what)) reach(e.to, 0);
  }
  for (std::uint64_t looked = 0; !open.empty(); ++looked) {
    if (looked % places_in_time == 0) runs_.look();
    const state_id s = open.front();
    open.pop_front();
    is_open[s] = 0;
    for (const operation_graph::edge& e : graph_.out(s)) {
      if (e.to == operation_graph::no_state || kept_[e.to] == 0) continue;
      const graph_step& step = graph_.steps[e.step];
      const std::int64_t steps = result.at[s] + (is_among(step.counts, what.client) ? 1 : 0);
      if (is_among(step.completes, what.client)) {
        result.most = std::max(result.most, std::min(steps, limit));
      } else {
        reach(e.to, steps);
      }
    }
  }
  return result;
}

// Whether a cycle inside such an operation has a step of the client.
bool step_counts::goes_round(counted_operation what, const counts& inside) {
  bool found = false;
  std::vector<char> in_set(graph_.size(), 0);
  const step_filter filter{.completes_not = what.client};
  runs_.each_set(filter, [&](const std::vector<state_id>& members) {
    if (found || inside.at[members.front()] == outside) return;
    for (const state_id s : members) in_set[s] = 1;
    for (const state_id s : members) {
      found = found || std::ranges::any_of(graph_.out(s), [&](const operation_graph::edge& e) {
                const graph_step& step = graph_.steps[e.step];
                return e.to != operation_graph::no_state && in_set[e.to] != 0 &&
                       !is_among(step.completes, what.client) && is_among(step.counts, what.client);
              });
    }
    for (const state_id s : members) in_set[s] = 0;
  });
  return found;
}

std::optional<state_id> step_counts::blocked(counted_operation what, const counts& inside) const {
  std::optional<state_id> nearest;
  for (state_id s = 0; s < graph_.size(); ++s) {
    const graph_status& here = graph_.status(s);
    if (inside.at[s] == outside || here.pending[what.client] == 0) continue;
    if (here.awaits_choice || here.ends || here.promised) continue;
    if (graph_.is_enabled(graph_.unit_of[what.client], s)) continue;
    if (!nearest || runs_.distance(s) < runs_.distance(*nearest)) nearest = s;
  }
  return nearest;
}

std::optional<std::uint32_t> step_counts::most(counted_operation what) {
  const counts inside = count(what, 0);
  if (goes_round(what, inside) || blocked(what, inside)) return std::nullopt;
  return static_cast<std::uint32_t>(count(what, no_limit).most);
}

std::optional<graph_lasso> step_counts::beyond(counted_operation what, std::uint32_t bound) {
  const counts inside = count(what, std::int64_t{bound} + 1);
  if (inside.most > bound) {
    return way(what, [&](state_id, std::int64_t steps) { return steps > bound; });
  }
  if (const auto s = blocked(what, inside)) {
    return way(what, [&](state_id at, std::int64_t) { return at == *s; });
  }
  return std::nullopt;
}

graph_lasso step_counts::way(counted_operation what,
                             const std::function<bool(state_id, std::int64_t)>& found) const {
  // A state, and above it the steps inside and one more, or 0 outside.
  using place = std::uint64_t;
  const auto place_of = [](state_id at, std::int64_t steps) {
    return static_cast<place>(steps + 1) << 32 | at;
  };
  struct arrival {
    place from;
    std::uint64_t edge;
  };
  const std::int64_t at_start = what.operation ? outside : 0;
  const place start = place_of(0, at_start);
  boost::unordered_flat_map<place, arrival> seen{{start, {start, 0}}};
  std::deque<place> queue{start};
  graph_lasso run;
  run.who = what.client;
  const auto end_with = [&](place from, std::uint64_t edge) {
    run.prefix.push_back(edge);
    for (place back = from; back != start; back = seen.at(back).from) {
      run.prefix.push_back(seen.at(back).edge);
    }
    std::ranges::reverse(run.prefix);
    keep_promises(run, graph_.edges[edge].to);
    return run;
  };
  if (at_start != outside && found(0, at_start)) return run;
  for (std::uint64_t looked = 0; !queue.empty(); ++looked) {
    if (looked % places_in_time == 0) runs_.look();
    const place here = queue.front();
    queue.pop_front();
    const auto at = static_cast<state_id>(here);
    for (std::uint64_t i = graph_.first[at]; i < graph_.first[at + 1]; ++i) {
      const operation_graph::edge& e = graph_.edges[i];
      if (e.to == operation_graph::no_state || kept_[e.to] == 0) continue;
      const graph_step& step = graph_.steps[e.step];
      std::int64_t steps = static_cast<std::int64_t>(here >> 32) - 1;
      if (steps != outside && is_among(step.counts, what.client)) ++steps;
      if (begins(step, what)) steps = 0;
      if (steps != outside && found(e.to, steps)) return end_with(here, i);
      if (is_among(step.completes, what.client)) steps = outside;
      if (seen.emplace(place_of(e.to, steps), arrival{here, i}).second) {
        queue.push_back(place_of(e.to, steps));
      }
    }
  }
  return run;
}

// Lets the run go on to the nearest state where nothing is promised.
void step_counts::keep_promises(graph_lasso& run, state_id end) const {
  boost::unordered_flat_map<state_id, std::pair<state_id, std::uint64_t>> seen{{end, {end, 0}}};
  std::deque<state_id> queue{end};
  while (!queue.empty()) {
    const state_id s = queue.front();
    queue.pop_front();
    if (!graph_.status(s).promised) {
      std::vector<std::uint64_t> back;
      for (state_id at = s; at != end; at = seen.at(at).first) back.push_back(seen.at(at).second);
      run.prefix.insert(run.prefix.end(), back.rbegin(), back.rend());
      return;
    }
    for (std::uint64_t i = graph_.first[s]; i < graph_.first[s + 1]; ++i) {
      const state_id to = graph_.edges[i].to;
      if (to == operation_graph::no_state) continue;
      if (seen.try_emplace(to, s, i).second) queue.push_back(to);
    }
  }
}

}  // namespace warpcheck
