// Published answers: a CSV file with a line for each test.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "litmus/report/report.hpp"

namespace litmus {

/// One name for a file, however it is given.
std::filesystem::path key_path(const std::filesystem::path& file);

/// By key_path: the key's folder and the path that it gives.
/// Columns, named in the first line: `file`; `expected_witness_or_holds` and `liveness`, 1, 0 or
/// nothing, either of which may be missing; others are not looked at. Throws syntax_error.
std::map<std::filesystem::path, expectation> read_key(const std::filesystem::path& file);

}  // namespace litmus
