// Says why a violation is one: which lanes wait or are parked and why, and which accesses race.
#pragma once

#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// Returns sentences. The first one is the headline, the others explain it.
std::vector<std::string> cause(session& run, names& named, const violation& v, const trace& t);

/// Returns what follows the last row of the table.
std::string ending(session& run, const violation& v, const trace& t);

/// Returns what the author of the subject may do; empty if nothing general can be said.
std::string remedy(session& run, const violation& v, const trace& t);

}  // namespace warpcheck
