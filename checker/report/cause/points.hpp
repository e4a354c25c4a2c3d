// Says why declared linearization points do not explain what an operation returns.
#pragma once

#include <string>
#include <vector>

#include "checker/report/object_history.hpp"
#include "checker/report/trace.hpp"

namespace warpcheck {

/// Returns sentences. The run's last operation that returns is the one that contradicts its point.
std::vector<std::string> why_points_are_wrong(session& run, names& named, const trace& t,
                                              const object_history& h);

}  // namespace warpcheck
