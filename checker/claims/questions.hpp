// Asks questions about the progress of operations: docs/guarantees.md has the definitions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/claims/recurrence.hpp"
#include "checker/verdicts/guarantee.hpp"

namespace warpcheck {

/// Answers are exact for a graph of all reachable states.
class progress_questions {
 public:
  /// `look` is called now and then. If it throws, the question ends.
  explicit progress_questions(const operation_graph& graph, std::function<void()> look = {});

  /// Returns a run that breaks the guarantee; nothing: the guarantee holds. Of all such runs, it is
  /// one that begins to go round the soonest. Without a cycle, it ends where a unit with a pending
  /// operation can take no step. For `blocking`, it ends where no unit can.
  std::optional<graph_lasso> breaks(guarantee what);

  /// Returns a fair run in which others complete operations for ever, but an operation that client
  /// `who` has called never completes.
  std::optional<graph_lasso> starvation();

  /// Returns a fair run in which no operation completes any more, although it could: from each of
  /// its states, every client can still complete an operation.
  std::optional<graph_lasso> livelock();

  /// Whether some run from `s` completes an operation of `client`, or ends.
  [[nodiscard]] bool can_complete(std::uint32_t client, state_id s) {
    return hopes()[client][s] != 0;
  }
  /// Returns a shortest way to a state.
  [[nodiscard]] graph_lasso way(state_id to) const { return {runs_.way(to), {}, 0}; }
  [[nodiscard]] std::uint32_t distance(state_id s) const { return runs_.distance(s); }
  [[nodiscard]] recurrences& runs() { return runs_; }

 private:
  const operation_graph& graph_;
  recurrences runs_;
  std::vector<std::vector<char>> hopes_;  // by client, then by state

  const std::vector<std::vector<char>>& hopes();
  std::vector<need> fair() const;
  /// Keeps the nearest of the lassos that it is given.
  class nearest;
  void add_blocked(nearest& found) const;
};

}  // namespace warpcheck
