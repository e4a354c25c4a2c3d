// What a run looks for, where that is less than usual.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// The kinds of violation that "check" names, where it leaves out something that is looked for
/// without it. Empty: nothing is left out.
std::vector<std::string_view> looked_for(const scenario& what, const run_settings& how);

/// The same as a sentence: `Only race was looked for: "check" names nothing else.`
std::string looked_for_text(const scenario& what, const run_settings& how);

}  // namespace warpcheck
