// Reads one `[[run]]` of a scenario.
#pragma once

#include "checker/scenario/scenario.hpp"
#include "checker/scenario/toml_reader.hpp"

namespace warpcheck {

/// Returns the keys of a `[[run]]`.
std::span<const std::string_view> run_keys();

run_settings parse_run(const toml_reader& reader, const toml::table& table);

}  // namespace warpcheck
