// All scenarios that a command is given.
#pragma once

#include <filesystem>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Reads all of them before anything is run, so that one usage_error tells every mistake.
std::vector<scenario> read_all(const std::vector<std::filesystem::path>& arguments);

/// A path as a person would type it: relative where it is below the working directory.
std::string readable_path(const std::filesystem::path& path);

}  // namespace warpcheck
