// Finds what a run can do for ever: strongly connected sets of states of an operation graph, joined
// by some of its steps, and lassos that go round in them.
//
// Under weak memory, these are sets in which a run can stay that sees what is stored
// (docs/memory-model.md, "Fairness of memory"). Each lane and location with stale accesses also has
// accesses that are not stale. If a set has only stale ones, they are taken away, and the rest
// falls into smaller sets (Streett's condition; Emerson and Lei 1987). No promise is open for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/claims/operation_graph.hpp"

namespace warpcheck {

/// Selects the steps that a run may take for ever.
struct step_filter {
  bool completes_nothing = false;
  // No step that completes an operation of this client.
  std::optional<std::uint32_t> completes_not{};
  // Only steps of this unit, and moves that take no step.
  std::optional<std::uint32_t> only{};

  [[nodiscard]] bool admits(const graph_step& step) const;
};

/// What a run that goes round must pass.
struct need {
  enum class kind : std::uint8_t {
    step,        // a step of unit `who`
    service,     // a step of unit `who`, or a state where it is owed none or can take none
    completion,  // completion of an operation by a client other than `who`
    kept         // a state where nothing is promised
  };
  kind what{};
  std::uint32_t who = 0;
};

/// A way from the initial state, and edges that then repeat for ever, as indices of the graph's
/// edges. With no edges to repeat, the run ends there.
struct graph_lasso {
  std::vector<std::uint64_t> prefix;
  std::vector<std::uint64_t> cycle;
  std::uint32_t who = 0;  // the client or unit that the lasso is about
};

class recurrences {
 public:
  /// `look` is called now and then. If it throws, the question ends.
  explicit recurrences(const operation_graph& graph, std::function<void()> look = {});

  /// Calls `visit(members)` for each strongly connected set that has a step inside, and in which
  /// memory is fair. Only the steps that `filter` admits count.
  void each(const step_filter& filter,
            const std::function<void(const std::vector<state_id>&)>& visit);

  /// Calls `visit(members)` for each strongly connected set with a step inside, whether memory is
  /// fair in it or not. A run can stay there as long as it likes, though perhaps not for ever.
  void each_set(const step_filter& filter,
                const std::function<void(const std::vector<state_id>&)>& visit);

  /// Whether a run that goes everywhere in the set meets the need. Call it for a set that is being
  /// visited.
  [[nodiscard]] bool meets(const std::vector<state_id>& members, need what) const;

  void look() const {
    if (look_) look_();
  }

  /// Returns the number of steps from the initial state.
  [[nodiscard]] std::uint32_t distance(state_id s) const { return distance_[s]; }
  [[nodiscard]] std::uint32_t distance(const std::vector<state_id>& members) const;

  /// Returns a shortest way to `to`.
  [[nodiscard]] std::vector<std::uint64_t> way(state_id to) const;
  /// Returns a shortest way to the nearest member of a set that is being visited, and a cycle
  /// there. The cycle meets all needs, and memory is fair in it.
  [[nodiscard]] graph_lasso lasso(const std::vector<state_id>& members,
                                  const std::vector<need>& needs) const;

 private:
  static constexpr std::uint32_t unknown = 0xffffffff;
  static constexpr std::uint32_t outside = 0xffffffff;

  const operation_graph& graph_;
  std::function<void()> look_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint64_t> arrives_by_;  // by state except 0: the edge by which it was reached
  std::vector<state_id> comes_from_;
  std::vector<char> admitted_;  // by step
  // By state: the component, in the set that is being visited.
  std::vector<std::uint32_t> component_;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> number_;  // by state, while components are computed

  using set = std::vector<state_id>;
  [[nodiscard]] std::vector<set> sets_under(const step_filter& filter);
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
