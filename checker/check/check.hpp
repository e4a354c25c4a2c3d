// Checks one run of a scenario: explores it, and makes a counterexample for each violation.
#pragma once

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

}  // namespace warpcheck
