// Searches all executions of a run for ABA: a compare-exchange succeeds although its location was
// changed, and changed back, since the lane last read it in the same operation.
//
// Models: docs/linearizability.md, "ABA". This finds in all executions what find_aba
// (checker/report/aba.hpp) finds in one. A state here also holds which lane has read which
// location, and whether the location has changed since. With weak memory it holds which store the
// lane has read (coherence_step.hpp). The search uses no reduction, because that would need an
// argument of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

struct aba_search_result {
  /// A shortest execution. Its last step is the compare-exchange, or the step that keeps the last
  /// promise after it.
  std::optional<execution> found;
  bool complete = false;  // something was found, or every reachable state was looked at
  stop_cause stopped;     // why the search is not complete; empty if it is
  std::uint64_t states = 0;
  double seconds = 0;
};

/// Searches breadth first, in one thread, within `bounds` (states, memory, time from now on,
/// Ctrl-C). Throws usage_error as check() does.
aba_search_result search_aba(session& run, const limits& bounds);

}  // namespace warpcheck
