// What a run can do for ever: strongly connected sets of states of an operation graph, joined by
// some of its steps, and lassos that go round in them.
//
// Where memory is weak, these are sets in which a run can stay that sees what is stored
// (docs/memory-model.md, "Fairness of memory"): of each lane and location with stale accesses there
// are others as well; where there are not, the stale ones are taken away, and what is left falls
// into smaller sets (Streett's condition; Emerson and Lei 1987). And no promise is open for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/claims/operation_graph.hpp"

namespace warpcheck {

/// Which steps a run may take for ever.
struct step_filter {
  bool completes_nothing = false;
  std::optional<std::uint32_t> completes_not{};  // a client
  std::optional<std::uint32_t> only{};           // a unit; moves that take no step may come between

  [[nodiscard]] bool admits(const graph_step& step) const;
};

/// What a run that goes round must come past.
struct need {
  enum class kind : std::uint8_t {
    step,        // one of unit `who`
    service,     // a step of unit `who`, or a state where it is not owed one or cannot take it
    completion,  // of an operation of a client other than `who`
    kept         // a state where nothing is promised
  };
  kind what{};
  std::uint32_t who = 0;
};

/// A way from the initial state, and edges that then repeat for ever (none: it ends there), as
/// indices of the graph's edges.
struct graph_lasso {
  std::vector<std::uint64_t> prefix;
  std::vector<std::uint64_t> cycle;
  std::uint32_t who = 0;  // the client or unit that it is about
};

class recurrences {
 public:
  /// `look`: called now and then; what it throws ends the question.
  explicit recurrences(const operation_graph& graph, std::function<void()> look = {});

  /// Calls `visit(members)` for each strongly connected set that has a step inside, of the steps
  /// that `filter` admits, and in which memory is fair.
  void each(const step_filter& filter,
            const std::function<void(const std::vector<state_id>&)>& visit);

  /// Of a set that is being visited: whether a run that goes everywhere in it meets the need.
  [[nodiscard]] bool meets(const std::vector<state_id>& members, need what) const;

  void look() const {
    if (look_) look_();
  }

  /// Steps from the initial state.
  [[nodiscard]] std::uint32_t distance(state_id s) const { return distance_[s]; }
  [[nodiscard]] std::uint32_t distance(const std::vector<state_id>& members) const;

  /// A shortest way to `to`.
  [[nodiscard]] std::vector<std::uint64_t> way(state_id to) const;
  /// The same to the nearest member of a set that is being visited, and a cycle there that meets
  /// all needs, and in which memory is fair.
  [[nodiscard]] graph_lasso lasso(const std::vector<state_id>& members,
                                  const std::vector<need>& needs) const;

 private:
  static constexpr std::uint32_t unknown = 0xffffffff;
  static constexpr std::uint32_t outside = 0xffffffff;

  const operation_graph& graph_;
  std::function<void()> look_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint64_t> arrives_by_;  // an edge, but for state 0
  std::vector<state_id> comes_from_;
  std::vector<char> admitted_;            // by step
  std::vector<std::uint32_t> component_;  // by state, of the set that is being visited
  std::uint32_t current_ = 0;
  // Of a search for components, by state.
  std::vector<std::uint32_t> index_;  // 0: not seen
  std::vector<std::uint32_t> low_;
  std::vector<char> open_;

  using set = std::vector<state_id>;
  [[nodiscard]] std::vector<set> components(const set& of);
  void visit_fair(const set& members, const std::function<void(const set&)>& visit);
  [[nodiscard]] std::vector<char> only_stale(const set& members) const;
  [[nodiscard]] std::optional<std::uint32_t> first_stale(
      const std::vector<std::uint64_t>& cycle) const;
  [[nodiscard]] bool is_inside(state_id from, const operation_graph::edge& e) const {
    return e.to != operation_graph::no_state && admitted_[e.step] != 0 &&
           component_[e.to] == component_[from];
  }
  [[nodiscard]] bool serves(state_id s, need what) const;
  [[nodiscard]] bool serves(const operation_graph::edge& e, need what) const;
};

}  // namespace warpcheck
