// Makes one search without proof by all ranks. Each makes runs of its own, and no seed is used
// twice.
#pragma once

#include "checker/distributed/ranks.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/search_options.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// All ranks call it, with sessions of the same run. The first rank gets the result of all. For
/// each kind of violation it keeps the run with the least seed, as one process would. Other ranks
/// get their own results. Throws what search() throws.
run_result search_on_ranks(ranks& all, session& run, const limits& bounds,
                           const search_options& options);

}  // namespace warpcheck
