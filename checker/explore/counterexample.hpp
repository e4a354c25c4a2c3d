// From what an exploration found to executions that show it, as short as breadth-first search makes
// them.
#pragma once

#include <functional>
#include <vector>

#include "checker/explore/explorer.hpp"
#include "checker/explore/result.hpp"

namespace warpcheck {

struct counterexample_request {
  verdict_set kinds = 0;
  /// For dead states: whether the kind of deadlock is the one under the stack model only.
  std::function<bool(state_id)> is_simt_deadlock;
};

/// One execution for each of the kinds, gravest first. `explored` has found them all.
std::vector<violation> counterexamples(explorer& explored, state_id root,
                                       const counterexample_request& request);

}  // namespace warpcheck
