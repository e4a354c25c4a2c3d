// Explores a small graph breadth first, and says for each state what can come of it.
#include "checker/graph/state_graph.hpp"

#include <map>

#include "checker/explore/ends/independent_end.hpp"
#include "checker/run/ending.hpp"

namespace warpcheck {
namespace {

/// Adds what can come of later states to what can come of a state, until nothing changes.
void spread(state_graph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
      for (const graph_edge& edge : node->edges) {
        if (edge.ends != simt::ending::none) continue;
        const graph_node& next = graph.nodes[edge.to];
        if ((next.can_end && !node->can_end) || (next.found & ~node->found) != 0) {
          node->can_end = node->can_end || next.can_end;
          node->found = static_cast<verdict_set>(node->found | next.found);
          changed = true;
        }
      }
    }
  }
}

/// Whether two accesses wait side by side and conflict (docs/architecture.md, "A race shows as two
/// pending accesses").
bool has_race(simt::machine& machine, simt::state_view state, const simt::successor_list& list) {
  if (!machine.may_race() || !list.suspicious) return false;
  std::vector<std::uint32_t> lanes;
  for (const simt::transition& t : list.transitions) {
    if (t.by.what == simt::choice::kind::lane) lanes.push_back(t.by.unit);
  }
  for (std::size_t a = 0; a < lanes.size(); ++a) {
    for (std::size_t b = a + 1; b < lanes.size(); ++b) {
      if (machine.conflict(lanes[a], state[lanes[a]], lanes[b], state[lanes[b]])) return true;
    }
  }
  return false;
}

}  // namespace

state_graph graph_from(session& run, const simt::state_words& start, std::size_t most) {
  simt::machine& machine = run.machine();
  state_graph graph;
  std::map<simt::state_words, std::uint32_t> numbers{{start, 0}};
  graph.nodes.push_back({.state = start, .edges = {}});
  simt::successor_list list;
  std::size_t explored = 0;
  for (; explored < graph.nodes.size() && !machine.has_news(); ++explored) {
    const simt::state_words state = graph.nodes[explored].state;
    list.clear();
    machine.steps(state, list);
    std::vector<graph_edge> edges;
    verdict_set found = has_race(machine, state, list) ? bit(verdict::race) : 0;
    for (const simt::transition& t : list.transitions) {
      graph_edge edge{t.by, 0, t.ends};
      if (t.ends != simt::ending::none) {
        found = static_cast<verdict_set>(found | bit(told_as(verdict_of(t.ends))));
      } else {
        const auto next = list.state(t, machine.words());
        simt::state_words words(next.begin(), next.end());
        const auto known = numbers.find(words);
        if (known == numbers.end() && graph.nodes.size() >= most) {
          graph.whole = false;
          continue;
        }
        edge.to =
            known != numbers.end() ? known->second : static_cast<std::uint32_t>(graph.nodes.size());
        if (known == numbers.end()) {
          numbers.emplace(words, edge.to);
          graph.nodes.push_back({.state = std::move(words), .edges = {}});
        }
      }
      edges.push_back(edge);
    }
    graph_node& node = graph.nodes[explored];
    node.edges = std::move(edges);
    node.diverges = list.here == simt::ending::barrier_divergence;
    if (node.diverges) found = static_cast<verdict_set>(found | bit(verdict::barrier_divergence));
    node.complete = list.transitions.empty() && machine.is_complete(state);
    if (node.complete) node.fails = run.final_check(machine.image(state)) != nullptr;
    if (node.fails) found = static_cast<verdict_set>(found | bit(verdict::assertion));
    node.can_end = node.complete || found != 0;
    node.found = static_cast<verdict_set>(found | verdicts_of(machine.broken(state)));
  }
  if (machine.has_news()) return graph;
  spread(graph);
  if (!graph.whole) return graph;
  for (graph_node& node : graph.nodes) {
    if (node.can_end) continue;
    node.is_void = machine.has_promises(node.state);
    if (!node.is_void) node.found = static_cast<verdict_set>(node.found | bit(verdict::deadlock));
  }
  spread(graph);
  return graph;
}

verdict kind_of_deadlock(session& run, simt::state_view state) {
  if (!run.machine().has_stacks()) return verdict::deadlock;
  const end_search::answer found = independent_end(run).of(state);
  return found == end_search::answer::ends ? verdict::simt_deadlock : verdict::deadlock;
}

}  // namespace warpcheck
