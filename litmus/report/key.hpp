// Published answers to litmus tests: a CSV file with one line for each test.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "litmus/report/report.hpp"

namespace litmus {

/// One canonical path for a file, whatever path names it.
std::filesystem::path key_path(const std::filesystem::path& file);

/// The expectations of a key, by key_path of each test's path, taken relative to the key's folder.
/// The first line names the columns: `file`, `expected_witness_or_holds` and `liveness`. The last
/// two are 1, 0 or empty, and either may be missing. Other columns are ignored. Throws
/// syntax_error.
std::map<std::filesystem::path, expectation> read_key(const std::filesystem::path& file);

}  // namespace litmus
