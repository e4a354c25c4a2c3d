// Says what a run looks for, if that is less than usual.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Returns the kinds of violation that "check" names, if it leaves out a kind that is looked for by
/// default. Empty: nothing is left out.
std::vector<std::string_view> looked_for(const scenario& what, const run_settings& how);

/// Returns that as a sentence: `Only race was looked for: "check" names nothing else.`
std::string looked_for_text(const scenario& what, const run_settings& how);

}  // namespace warpcheck
