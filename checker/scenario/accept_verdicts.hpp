// run --accept: writes the verdicts that were found into the text of a scenario file, as `expect`
// and `expect_violations`. Everything else of the text stays as it is: comments, layout, order.
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

/// The text with these expectations. `found` has, for the line of a [[run]], the runs of that table
/// (two, where it has no `memory`); those that were not run are left out, and then the table stays
/// as it is. Throws usage_error with the place, and changes nothing, where the runs of one table
/// differ or where a table is not written as lines below [[run]].
std::string accept_verdicts(std::string_view text, const std::filesystem::path& file,
                            const std::map<std::uint32_t, std::vector<accepted_verdict>>& found);

}  // namespace warpcheck
