// Decides whether a program is sure to terminate under a progress model, and says why not.
//
// weak: there is no infinite run in which every thread of the fair set takes steps for ever. Along
// an infinite run the fair set changes finitely often; threads outside it may take part.
// strong: from every reachable state some path ends with all threads finished, or with no thread
// owed progress. All its steps are by threads that are in the fair set when they step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/progress/graph.hpp"
#include "checker/progress/model.hpp"

namespace warpcheck {

/// A run, as the threads that take its steps: first those of `prefix`, then those of `cycle` for
/// ever. The cycle returns to the state where it began.
struct progress_lasso {
  std::vector<std::uint32_t> prefix, cycle;
};

/// Why there is no strong guarantee: after `prefix`, no path ends as that guarantee asks. Steps of
/// threads owed progress lead only to `states` states, none of which is an end.
struct stuck_progress {
  std::vector<std::uint32_t> prefix;
  std::uint32_t states = 0;
  /// What these threads do for ever if they take turns: first the steps of `prefix`, then those of
  /// `cycle`.
  progress_lasso turns;
};

class progress_guarantees {
 public:
  /// The graph must be complete, and must outlive this object.
  explicit progress_guarantees(const progress_graph& graph);

  [[nodiscard]] bool weak(progress_model model) const { return !unfair_component(model); }
  [[nodiscard]] bool strong(progress_model model) const { return !stuck_state(model); }
  [[nodiscard]] bool holds(fairness_notion notion, progress_model model) const {
    return notion == fairness_notion::weak ? weak(model) : strong(model);
  }

  /// Returns an infinite run that is fair. Call it only if weak(model) does not hold.
  [[nodiscard]] progress_lasso lasso(progress_model model) const;
  /// Call it only if strong(model) does not hold.
  [[nodiscard]] stuck_progress stuck(progress_model model) const;

  /// Returns the threads that the model owes progress in a state.
  [[nodiscard]] thread_set owed(progress_model model, std::uint32_t state) const {
    return fair_set(model, graph_.unfinished(state), graph_.started(state));
  }

 private:
  const progress_graph& graph_;
  std::vector<std::uint32_t> component_;  // by state
  std::vector<std::uint32_t> entry_;      // by component: its lowest state
  std::vector<thread_set> steps_within_;  // by component: threads whose steps can stay inside
  // By state: its first edge in `edges_`, and one more at the end.
  std::vector<std::uint32_t> first_edge_;
  struct edge {
    std::uint32_t from, thread;
  };
  std::vector<edge> edges_;  // in the order of the states that they lead to

  void find_components();
  void reverse_edges();
  [[nodiscard]] bool has_ended(progress_model model, std::uint32_t state) const {
    return owed(model, state) == 0;  // true also if all threads are finished
  }
  [[nodiscard]] std::optional<std::uint32_t> unfair_component(progress_model model) const;
  [[nodiscard]] std::optional<std::uint32_t> stuck_state(progress_model model) const;
  [[nodiscard]] std::vector<std::uint32_t> cycle_through(std::uint32_t start,
                                                         thread_set wanted) const;
};

}  // namespace warpcheck
