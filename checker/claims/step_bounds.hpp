// Counts the steps of single operations: the most that any run has between a call and its return.
//
// A count is a property of finite runs, so memory need not be fair in them. A lane that may read an
// old value as often as it likes has no bound. A run in which a promise is never kept is none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/claims/recurrence.hpp"

namespace warpcheck {

/// The operations that are counted: those of a client with this number, or its body.
struct counted_operation {
  std::uint32_t client = 0;
  std::optional<std::uint32_t> operation{};  // nothing: the body
};

class step_counts {
 public:
  /// `runs` is of the same graph.
  step_counts(const operation_graph& graph, recurrences& runs);

  /// Returns the most steps that the client takes inside such an operation, in any run that the
  /// graph has. Nothing: there is no bound, or the client may be unable to take a step unless
  /// others do.
  std::optional<std::uint32_t> most(counted_operation what);

  /// Returns a shortest run in which the client takes more than `bound` steps inside such an
  /// operation. If there is none, returns a run at whose end the client is inside and can take no
  /// step unless others do. Nothing is promised at its end.
  std::optional<graph_lasso> beyond(counted_operation what, std::uint32_t bound);

 private:
  const operation_graph& graph_;
  recurrences& runs_;
  std::vector<char> kept_;  // by state: whether all promises can be kept from there on

  static constexpr std::int64_t outside = -1;
  struct counts {
    std::vector<std::int64_t> at;  // by state: the most so far, if the client may be inside there
    std::int64_t most = 0;
  };
  /// Counts up to `limit`, or to the end.
  [[nodiscard]] counts count(counted_operation what, std::int64_t limit) const;
  [[nodiscard]] bool goes_round(counted_operation what, const counts& inside);
  [[nodiscard]] std::optional<state_id> blocked(counted_operation what, const counts& inside) const;
  /// Returns a shortest run to a step inside, after which `found(state, steps inside)` is true.
  [[nodiscard]] graph_lasso way(counted_operation what,
                                const std::function<bool(state_id, std::int64_t)>& found) const;
  void keep_promises(graph_lasso& run, state_id end) const;
};

}  // namespace warpcheck
