// Implements run --accept: writes the verdicts that were found into the text of a scenario file, as
// `expect` and `expect_violations`. All other text stays as it is: comments, layout, order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

/// What a run is to expect from now on.
struct accepted_verdict {
  verdict gravest = verdict::ok;
  verdict_set violations = 0;
};

/// Returns the text with these expectations. `found` has, for the line of a [[run]], the runs of
/// that table (two if it has no `memory`). A table whose runs were not run stays as it is. Throws
/// usage_error with the place, and changes nothing, if the runs of one table differ, or a table is
/// not written as lines below [[run]].
std::string accept_verdicts(std::string_view text, const std::filesystem::path& file,
                            const std::map<std::uint32_t, std::vector<accepted_verdict>>& found);

}  // namespace warpcheck
