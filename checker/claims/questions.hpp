// Questions about the progress of operations, and their answers: docs/guarantees.md has the
// definitions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/claims/recurrence.hpp"
#include "checker/verdicts/guarantee.hpp"

namespace warpcheck {

/// Exact, for a graph of all reachable states.
class progress_questions {
 public:
  /// `look`: called now and then; what it throws ends the question.
  explicit progress_questions(const operation_graph& graph, std::function<void()> look = {});

  /// A run that breaks the guarantee; nothing: it holds. Of all such runs one that begins to go
  /// round the soonest. Without a cycle, it ends where a unit with a pending operation can take no
  /// step (or, for `blocking`, nobody can).
  std::optional<graph_lasso> breaks(guarantee what);

  /// A fair run in which others complete operations for ever, and one that client `who` has called
  /// never completes.
  std::optional<graph_lasso> starvation();

  /// A fair run in which no operation completes any more, though it could: from each of its states,
  /// every client can still complete one.
  std::optional<graph_lasso> livelock();

  /// Whether some run from `s` completes an operation of `client`, or ends.
  [[nodiscard]] bool can_complete(std::uint32_t client, state_id s) {
    return hopes()[client][s] != 0;
  }
  /// A shortest way to a state.
  [[nodiscard]] graph_lasso way(state_id to) const { return {runs_.way(to), {}, 0}; }
  [[nodiscard]] std::uint32_t distance(state_id s) const { return runs_.distance(s); }

 private:
  const operation_graph& graph_;
  recurrences runs_;
  std::vector<std::vector<char>> hopes_;  // by client, then state

  const std::vector<std::vector<char>>& hopes();
  std::vector<need> fair() const;
  /// Keeps, of what it is given, the nearest.
  class nearest;
  void add_blocked(nearest& found) const;
};

}  // namespace warpcheck
