// From what an exploration found to executions that show it, as short as breadth-first search makes
// them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/explore/explorer.hpp"
#include "checker/run/result.hpp"

namespace warpcheck {

struct counterexample_request {
  verdict_set kinds = 0;
  /// The kind of deadlock of a dead state, where it is known. Not set: all are `deadlock`.
  std::function<std::optional<verdict>(state_id)> dead_kind;
  /// Those of the kinds that were seen on entering a state are shown by the way on which they were
  /// seen first, which takes next to no time and may be long. The others are missing.
  bool on_first_ways = false;
  /// Whether an execution may be shown. Not set: each of them.
  std::function<bool(const execution&)> may_be_shown;
};

/// Appends one execution for each of the kinds, gravest first. `explored` has found them all. A
/// kind is missing if none of the executions that were looked at may be shown. Throws
/// lane_automaton::given_up where time is over: then others may be missing, too. False: a path of
/// the reduced graph is none of the machine, which says nothing then.
[[nodiscard]] bool counterexamples(explorer& explored, state_id root,
                                   const counterexample_request& request,
                                   std::vector<violation>& result);

}  // namespace warpcheck
