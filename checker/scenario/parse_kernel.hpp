// Reads the tables [kernel], [launch] and [buffers] of a scenario.
#pragma once

#include <optional>

#include <toml++/toml.h>

#include "checker/scenario/kernel_launch.hpp"
#include "checker/scenario/toml_reader.hpp"

namespace warpcheck {

/// Returns nothing if the scenario has no [kernel]. `folder` is the scenario's. Throws usage_error.
std::optional<kernel_launch> parse_kernel(const toml_reader& reader, const toml::table& root,
                                          const std::filesystem::path& folder);

}  // namespace warpcheck
