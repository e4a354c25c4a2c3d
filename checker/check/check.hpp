// Checks one run of a scenario: explores it, and makes a counterexample for each violation.
#pragma once

#include "checker/distributed/ranks.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/reductions.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Returns those of `wanted` that the questions of the run allow.
reductions tolerated(const session& run, reductions wanted);

/// Explores a session. Throws usage_error if the subject does what device code must not do.
run_result check(session& run, const limits& bounds, const reductions& reduce = {});

/// Whether several ranks can explore this run together. docs/cluster.md lists the runs they cannot.
[[nodiscard]] bool ranks_can_share(const session& run);
/// Explores a session with all ranks, of which this is the first. It explores small runs alone.
run_result check_on_ranks(ranks& all, session& run, const limits& bounds,
                          const reductions& reduce = {});
/// Does the part of another rank, with a session of the same run.
void follow_check(ranks& all, session& run, const limits& bounds, const reductions& reduce);

}  // namespace warpcheck
