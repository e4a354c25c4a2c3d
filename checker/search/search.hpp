// Searches without proof: many single runs, with chance as the scheduler. It is for state spaces
// that no memory can hold.
#pragma once

#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/search_options.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// Searches for violations, and makes a short counterexample of the first run that shows each kind.
/// Without a violation the verdict is `inconclusive`, never `ok`. Livelocks are not looked for.
/// Throws usage_error if the subject does what device code must not do.
run_result search(session& run, const limits& bounds, const search_options& options);

/// Returns the choices of one run under `sc` of at most `steps` steps. At each step, any lane may
/// step. The run ends at a violation that ends it, but does not look for violations.
std::vector<simt::choice> random_run(simt::machine& machine, std::uint64_t seed,
                                     std::uint64_t steps);

/// Returns a lower bound on the probability with which one run of PCT finds a given bug. It is
/// 1/(n k^(d-1)) for n lanes, at most k events in a run, and a bug of depth d (at least 1). The
/// depth is the number of constraints on the order of events that are enough to show the bug
/// (Burckhardt et al. 2010).
double pct_bound(std::uint64_t lanes, std::uint64_t length, std::uint32_t depth);

/// Returns the steps that one run may take by default. Most runs of a lock end well before. Under
/// weak memory they are fewer, since each takes longer.
std::uint64_t default_steps(const scenario& what, search_kind kind, simt::memory_model memory);

}  // namespace warpcheck
