// Reads all scenarios that a command is given.
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

/// Reads the scenarios that can be read, and reports the others. Their runs have names.
scenarios_read read_each(const std::vector<std::filesystem::path>& arguments);

/// Reads scenarios that must all be readable. One usage_error reports every mistake before anything
/// runs.
std::vector<scenario> read_all(const std::vector<std::filesystem::path>& arguments);

/// Throws a usage_error that reports all refusals, if there are any.
void throw_refusals(const std::vector<refusal>& refused);

/// Returns a path as a person would type it: relative if it lies below the working directory.
std::string readable_path(const std::filesystem::path& path);

}  // namespace warpcheck
