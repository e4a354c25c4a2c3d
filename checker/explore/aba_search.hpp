// Looks through all that a run may do for a compare-exchange that succeeds although its location
// was changed, and changed back, since the lane's own last look at it in the same operation.
//
// Models: docs/linearizability.md, "ABA": what find_aba (checker/report/aba.hpp) finds in one
// execution, in all executions. A state has more to it here: who has looked at what, and whether it
// has been changed since. No reduction is used; that would need an argument of its own. Where
// memory is weak, it is which store a lane has looked at (coherence_step.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

struct aba_search_result {
  /// A shortest one; its last step is the compare-exchange, or what keeps promises behind it.
  std::optional<execution> found;
  bool complete = false;  // something was found, or every reachable state was looked at
  stop_cause stopped;     // why not; empty if complete
  std::uint64_t states = 0;
  double seconds = 0;
};

/// Breadth first, in one thread, within `bounds` (states, memory, time from now on, Ctrl-C). Throws
/// usage_error as check() does.
aba_search_result search_aba(session& run, const limits& bounds);

}  // namespace warpcheck
