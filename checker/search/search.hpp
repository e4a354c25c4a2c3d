// Search without proof: many single runs, with chance as the scheduler. For spaces that no memory
// can hold.
#pragma once

#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/search_options.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// Searches for violations, and makes a short counterexample of the first run that shows each kind.
/// Never `ok`: without a violation the verdict is `inconclusive`. Livelocks are not looked for.
/// Throws usage_error where the subject does what device code must not.
run_result search(session& run, const limits& bounds, const search_options& options);

/// The choices of one run under `sc`, at each step any lane; of at most `steps` steps. Does not
/// look for violations: the run ends where one ends it.
std::vector<simt::choice> random_run(simt::machine& machine, std::uint64_t seed,
                                     std::uint64_t steps);

/// The probability with which one run of PCT finds a given bug, at least: 1/(n k^(d-1)), for n
/// lanes, k events in a run at most, and a bug of depth d (at least 1): the number of constraints
/// on the order of events that are enough to show it. (Burckhardt et al. 2010)
double pct_bound(std::uint64_t lanes, std::uint64_t length, std::uint32_t depth);

/// Steps that one run may take where nobody says: most runs of a lock end well before. Where memory
/// is weak they are fewer, since each takes longer.
std::uint64_t default_steps(const scenario& what, search_kind kind, simt::memory_model memory);

}  // namespace warpcheck
