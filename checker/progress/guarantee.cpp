// Finds components of the graph in which a fair run can stay, and states from which no end is
// reached.
#include "checker/progress/guarantee.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <queue>
#include <utility>

#include "sim/automaton/components.hpp"

namespace warpcheck {
namespace {

constexpr std::uint32_t none = progress_graph::none;

}  // namespace

progress_guarantees::progress_guarantees(const progress_graph& graph) : graph_(graph) {
  find_components();
  reverse_edges();
}

void progress_guarantees::find_components() {
  const auto for_each_next = [&](std::uint32_t state, auto f) {
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
      if (graph_.next(state, t) != none) f(graph_.next(state, t));
    }
  };
  simt::components parts = simt::components_of(graph_.states(), for_each_next);
  component_ = std::move(parts.of);
  entry_.assign(parts.count, none);
  steps_within_.assign(parts.count, 0);
  for (std::uint32_t state = 0; state < graph_.states(); ++state) {
    const std::uint32_t c = component_[state];
    entry_[c] = std::min(entry_[c], state);
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
      const std::uint32_t next = graph_.next(state, t);
      if (next != none && component_[next] == c) steps_within_[c] |= only(t);
    }
  }
}

void progress_guarantees::reverse_edges() {
  first_edge_.assign(std::size_t{graph_.states()} + 1, 0);
  const auto each_edge = [&](const auto& what) {
    for (std::uint32_t state = 0; state < graph_.states(); ++state) {
      for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        if (graph_.next(state, t) != none) what(state, t, graph_.next(state, t));
      }
    }
  };
  each_edge([&](std::uint32_t, std::uint32_t, std::uint32_t to) { ++first_edge_[to + 1]; });
  for (std::size_t i = 1; i < first_edge_.size(); ++i) first_edge_[i] += first_edge_[i - 1];
  edges_.resize(first_edge_.back());
  std::vector<std::uint32_t> filled(first_edge_.begin(), first_edge_.end() - 1);
  each_edge([&](std::uint32_t from, std::uint32_t t, std::uint32_t to) {
    edges_[filled[to]++] = {from, t};
  });
}

/// Returns the component nearest to the initial state in which a fair run can stay: its steps
/// include one of each thread owed progress. All its states owe the same, since started threads
/// stay started and finished ones finished. A run that goes everywhere in the component serves
/// every thread that a run in a part of it serves.
std::optional<std::uint32_t> progress_guarantees::unfair_component(progress_model model) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t c = 0; c < entry_.size(); ++c) {
    const bool stays = steps_within_[c] != 0 && (owed(model, entry_[c]) & ~steps_within_[c]) == 0;
    if (stays && (!found || entry_[c] < entry_[*found])) found = c;
  }
  return found;
}

/// Returns the nearest state from which steps of threads owed progress reach no end.
std::optional<std::uint32_t> progress_guarantees::stuck_state(progress_model model) const {
  std::vector<bool> can_end(graph_.states(), false);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t state = 0; state < graph_.states(); ++state) {
    if (!has_ended(model, state)) continue;
    can_end[state] = true;
    todo.push_back(state);
  }
  while (!todo.empty()) {
    const std::uint32_t to = todo.back();
    todo.pop_back();
    for (std::uint32_t i = first_edge_[to]; i < first_edge_[to + 1]; ++i) {
      const auto [from, thread] = edges_[i];
      if (can_end[from] || (owed(model, from) & only(thread)) == 0) continue;
      can_end[from] = true;
      todo.push_back(from);
    }
  }
  const auto stuck = std::ranges::find(can_end, false);
  if (stuck == can_end.end()) return std::nullopt;
  return static_cast<std::uint32_t>(stuck - can_end.begin());
}

/// Returns a cycle from `start` within its component. It has at least one step, and a step of each
/// thread in `wanted`. It always takes the shortest way to a step that is still wanted, and last
/// the shortest way back.
std::vector<std::uint32_t> progress_guarantees::cycle_through(std::uint32_t start,
                                                              thread_set wanted) const {
  std::vector<std::uint32_t> cycle;
  std::uint32_t at = start;
  // Walks to the nearest step that `last_step(state, thread)` accepts, and takes it.
  const auto walk = [&](const auto& last_step) {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> found_from{{at, {none, 0}}};
    std::queue<std::uint32_t> todo({at});
    while (true) {  // a component has every such step, so the walk finds one
      const std::uint32_t state = todo.front();
      todo.pop();
      for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        const std::uint32_t next = graph_.next(state, t);
        if (next == none || component_[next] != component_[start]) continue;
        if (last_step(next, t)) {
          std::vector<std::uint32_t> way{t};
          for (std::uint32_t s = state; s != at; s = found_from.at(s).first) {
            way.push_back(found_from.at(s).second);
          }
          cycle.insert(cycle.end(), way.rbegin(), way.rend());
          for (const std::uint32_t thread : way) wanted &= ~only(thread);
          at = next;
          return;
        }
        if (found_from.emplace(next, std::pair{state, t}).second) todo.push(next);
      }
    }
  };
  while (wanted != 0) {
    walk([&](std::uint32_t, std::uint32_t t) { return (wanted & only(t)) != 0; });
  }
  if (at != start || cycle.empty()) {
    walk([&](std::uint32_t next, std::uint32_t) { return next == start; });
  }
  return cycle;
}

progress_lasso progress_guarantees::lasso(progress_model model) const {
  const std::uint32_t component = unfair_component(model).value();
  const std::uint32_t start = entry_[component];
  return {graph_.way_to(start), cycle_through(start, owed(model, start))};
}

stuck_progress progress_guarantees::stuck(progress_model model) const {
  const std::uint32_t from = stuck_state(model).value();
  stuck_progress result;
  result.prefix = graph_.way_to(from);

  std::vector<bool> seen(graph_.states(), false);
  std::vector<std::uint32_t> todo{from};
  seen[from] = true;
  while (!todo.empty()) {
    const std::uint32_t state = todo.back();
    todo.pop_back();
    ++result.states;
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
      if ((owed(model, state) & only(t)) == 0 || seen[graph_.next(state, t)]) continue;
      seen[graph_.next(state, t)] = true;
      todo.push_back(graph_.next(state, t));
    }
  }

  // Threads take turns: thread t is followed by the next higher one that is owed progress, round
  // and round.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> when;  // state and next thread
  std::vector<std::uint32_t> steps;
  const auto turn_after = [&](std::uint32_t state, thread_set passed) {
    const thread_set fair = owed(model, state);
    const thread_set higher = fair & ~passed;
    return static_cast<std::uint32_t>(std::countr_zero(higher != 0 ? higher : fair));
  };
  std::uint32_t state = from;
  std::uint32_t thread = turn_after(state, 0);
  while (when.emplace(std::pair{state, thread}, steps.size()).second) {
    steps.push_back(thread);
    state = graph_.next(state, thread);
    thread = turn_after(state, only(thread) | (only(thread) - 1));
  }
  const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(when.at(std::pair{state, thread}));
  result.turns = {{steps.begin(), begin}, {begin, steps.end()}};
  return result;
}

}  // namespace warpcheck
