// Steps through the graph thread by thread, and looks for a way to the end where a thread goes
// round.
#include "checker/progress/in_order.hpp"

#include <vector>

namespace warpcheck {
namespace {

bool can_finish(const progress_graph& graph, std::uint32_t from) {
  std::vector<bool> seen(graph.states(), false);
  std::vector<std::uint32_t> todo{from};
  seen[from] = true;
  while (!todo.empty()) {
    const std::uint32_t state = todo.back();
    todo.pop_back();
    if (graph.unfinished(state) == 0) return true;
    for (std::uint32_t t = 0; t < graph.threads(); ++t) {
      const std::uint32_t next = graph.next(state, t);
      if (next == progress_graph::none || seen[next]) continue;
      seen[next] = true;
      todo.push_back(next);
    }
  }
  return false;
}

}  // namespace

in_order_run run_in_order(const progress_graph& graph) {
  std::uint32_t state = 0;
  std::vector<bool> seen(graph.states(), false);
  for (std::uint32_t t = 0; t < graph.threads(); ++t) {
    while ((graph.unfinished(state) & only(t)) != 0) {
      state = graph.next(state, t);
      if (seen[state]) {
        return can_finish(graph, state) ? in_order_run::stuck : in_order_run::lost;
      }
      seen[state] = true;
    }
  }
  return in_order_run::finishes;
}

}  // namespace warpcheck
