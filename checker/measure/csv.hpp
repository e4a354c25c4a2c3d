// Writes and reads measurements as comma-separated values, for `warpcheck measure --csv` and
// `--from`.
#pragma once

#include <string>
#include <vector>

#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// Returns a line of names, then times in seconds.
std::string to_csv(const std::vector<measurement>& all);

/// Reads what to_csv() wrote, with columns in any order. The file has no single launches. So
/// `seconds` are the least, the quartiles and the most, which have the same quartiles. Throws
/// usage_error that names `file` and the line.
std::vector<measurement> measurements_of_csv(const std::string& text, const std::string& file);

}  // namespace warpcheck
