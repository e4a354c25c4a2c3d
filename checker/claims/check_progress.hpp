// Checks the progress of a run's operations: what it claims, and what is asked of clients that
// never end. docs/guarantees.md has the definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "checker/verdicts/answers.hpp"

namespace warpcheck {

/// Returns the verdicts that are decided on the operation graph: claims and starvation. For clients
/// that never end, also deadlocks and livelocks.
verdict_set progress_checks(const session& run);

struct progress_result {
  std::vector<violation> violations;  // gravest first
  progress_answers answers;           // to the questions that were asked
  stop_cause stopped;                 // why something is not decided; empty if all is
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t bytes = 0;
};

/// Looks for the violations `wanted`. `all` asks about all guarantees, not only the claimed one.
/// Throws simt::lane_error.
progress_result check_progress(session& run, const limits& bounds, verdict_set wanted, bool all);

}  // namespace warpcheck
