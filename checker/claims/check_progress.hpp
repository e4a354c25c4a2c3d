// The progress of a run's operations: what it claims, and what is asked of clients that never end.
// docs/guarantees.md has the definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "checker/verdicts/answers.hpp"

namespace warpcheck {

/// What is decided on the operation graph: claims and starvation; of clients that never end also
/// deadlocks and livelocks.
verdict_set progress_checks(const session& run);

struct progress_result {
  std::vector<violation> violations;  // gravest first
  progress_answers answers;           // as far as they were asked for
  stop_cause stopped;                 // why something is not decided; or empty
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t bytes = 0;
};

/// Looks for the violations `wanted`. `all`: answers about all guarantees, not only what is
/// claimed. Throws simt::lane_error.
progress_result check_progress(session& run, const limits& bounds, verdict_set wanted, bool all);

}  // namespace warpcheck
