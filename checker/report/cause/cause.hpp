// Why a violation is one: who waits for what, who is parked where, which accesses race.
#pragma once

#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// Sentences; the first one is the headline, the others explain it.
std::vector<std::string> cause(session& run, names& named, const violation& v, const trace& t);

/// What follows the last row of the table.
std::string ending(session& run, const violation& v, const trace& t);

/// What the author of the subject may do about it; empty where nothing general can be said.
std::string remedy(session& run, const violation& v, const trace& t);

}  // namespace warpcheck
