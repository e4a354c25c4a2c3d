// All scenarios that a command is given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// A file or folder that cannot be used, and why: "file:line:column: what; remedy".
struct refusal {
  std::filesystem::path file;
  std::string message;
};

struct scenarios_read {
  std::vector<scenario> scenarios;
  std::vector<refusal> refused;
};

/// Reads what can be read, and says what cannot. Runs have their names.
scenarios_read read_each(const std::vector<std::filesystem::path>& arguments);

/// The same where all must be readable: one usage_error tells every mistake, before anything is
/// run.
std::vector<scenario> read_all(const std::vector<std::filesystem::path>& arguments);

/// Throws the usage_error that tells all of them, if there are any.
void throw_refusals(const std::vector<refusal>& refused);

/// A path as a person would type it: relative where it is below the working directory.
std::string readable_path(const std::filesystem::path& path);

}  // namespace warpcheck
