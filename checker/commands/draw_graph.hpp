// explain --graph: the states of a small scenario as a picture.
#pragma once

#include <filesystem>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Writes the graph of one run to `file`: SVG, by Graphviz; or its source where the name ends in
/// ".dot". Throws usage_error where there are too many states, or no Graphviz.
void draw_graph(const scenario& what, const run_settings& how, const std::filesystem::path& file);

}  // namespace warpcheck
