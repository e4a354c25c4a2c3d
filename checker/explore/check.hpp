// Checks one run of a scenario: explores it, and makes a counterexample for each violation.
#pragma once

#include "checker/explore/limits.hpp"
#include "checker/explore/reductions.hpp"
#include "checker/explore/result.hpp"
#include "checker/explore/session.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Those of `wanted` that what the run asks for tolerates.
reductions tolerated(const session& run, reductions wanted);

/// Explores a session. Throws usage_error where the subject does what device code must not.
run_result check(session& run, const limits& bounds, const reductions& reduce = {});

}  // namespace warpcheck
