// Measurements as a file of comma-separated values, which `warpcheck measure --csv` writes and
// `--from` reads.
#pragma once

#include <string>
#include <vector>

#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// With a line of names; seconds.
std::string to_csv(const std::vector<measurement>& all);

/// What to_csv wrote, its columns in any order. The file has no single launches: `seconds` are the
/// least, the quartiles, and the most, whose quartiles they are, too. Throws usage_error, which
/// names `file` and the line.
std::vector<measurement> measurements_of_csv(const std::string& text, const std::string& file);

}  // namespace warpcheck
