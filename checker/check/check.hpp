// Checks one run of a scenario: explores it, and makes a counterexample for each violation.
#pragma once

#include "checker/distributed/ranks.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/reductions.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Those of `wanted` that what the run asks for tolerates.
reductions tolerated(const session& run, reductions wanted);

/// Explores a session. Throws usage_error where the subject does what device code must not.
run_result check(session& run, const limits& bounds, const reductions& reduce = {});

/// Whether several ranks can explore it together: docs/cluster.md says what they cannot.
[[nodiscard]] bool ranks_can_share(const session& run);
/// The same by all ranks, of which this is the first. What is small it does alone.
run_result check_on_ranks(ranks& all, session& run, const limits& bounds,
                          const reductions& reduce = {});
/// The part of another rank, with a session of the same run.
void follow_check(ranks& all, session& run, const limits& bounds, const reductions& reduce);

}  // namespace warpcheck
