// Names what grows without a known bound.
#pragma once

#include "checker/report/names.hpp"
#include "checker/report/report.hpp"

namespace warpcheck {

std::vector<shown_growth> show_growth(names& named, const run_result& result);

}  // namespace warpcheck
