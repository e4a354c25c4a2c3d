// Says in words what a search without proof has covered.
#pragma once

#include <string>
#include <vector>

#include "checker/run/result.hpp"

namespace warpcheck {

/// Returns "1,000 runs  123,456 steps".
std::string extent_of(const search_coverage& seen);

/// Says what was done, what that means, and how to repeat the runs that found something. `result`
/// must be that of a search.
std::vector<std::string> sentences_about(const run_result& result);

}  // namespace warpcheck
