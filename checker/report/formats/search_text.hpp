// What a search without proof has covered, in words.
#pragma once

#include <string>
#include <vector>

#include "checker/run/result.hpp"

namespace warpcheck {

/// "1,000 runs  123,456 steps"
std::string extent_of(const search_coverage& seen);

/// What was done, what it says, and how to make the runs again that found something. `result` is
/// one of a search.
std::vector<std::string> sentences_about(const run_result& result);

}  // namespace warpcheck
