// Reads the keys of a scenario whose subject is an object with operations: threads, initial,
// placement, spec.
#pragma once

#include "checker/scenario/scenario.hpp"
#include "checker/scenario/toml_reader.hpp"

namespace warpcheck {

/// Fills in what `root` says about operations. Also sets the grid if `root` does not give one.
void parse_object(const toml_reader& reader, const toml::table& root, scenario& into);

}  // namespace warpcheck
