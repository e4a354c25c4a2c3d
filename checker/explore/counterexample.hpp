// Makes executions that show what an exploration has found. They are as short as breadth-first
// search finds them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/explore/explorer.hpp"
#include "checker/run/result.hpp"

namespace warpcheck {

struct counterexample_request {
  verdict_set kinds = 0;
  /// The kind of deadlock of a dead state, if it is known. If not set, every dead state is a
  /// `deadlock`.
  std::function<std::optional<verdict>(state_id)> dead_kind;
  /// Shows each kind that was seen on entering a state by the path on which it was seen first. This
  /// takes next to no time, and the path may be long. Other kinds are missing.
  bool on_first_ways = false;
  /// Whether an execution may be shown. If not set, every execution may.
  std::function<bool(const execution&)> may_be_shown;
};

/// Appends one execution for each of the kinds, gravest first. `explored` has found all of them. A
/// kind is missing if none of its executions that were tried may be shown. Throws
/// lane_automaton::given_up when time is over: then other kinds may be missing, too. Returns false
/// if the machine cannot follow a path of the reduced graph. Then the result says nothing.
[[nodiscard]] bool counterexamples(explorer& explored, state_id root,
                                   const counterexample_request& request,
                                   std::vector<violation>& result);

}  // namespace warpcheck
