// Draws the states of a small scenario as a picture, for explain --graph.
#pragma once

#include <filesystem>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Writes the graph of one run to `file`: SVG made by Graphviz, or Graphviz's input if the name
/// ends in ".dot". Throws usage_error if there are too many states, or no Graphviz.
void draw_graph(const scenario& what, const run_settings& how, const std::filesystem::path& file);

}  // namespace warpcheck
