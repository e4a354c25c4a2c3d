// Draws the graph of a small scenario as a picture, in the language of Graphviz.
#pragma once

#include <string>

#include "checker/graph/state_graph.hpp"
#include "checker/report/names.hpp"

namespace warpcheck {

/// Draws states with lanes and memory, steps, and ends. States from which no schedule ends are red.
/// Beside them are the automata of lanes: their places, and the ways between.
std::string dot_of(session& run, names& named, const state_graph& graph, const std::string& title);

}  // namespace warpcheck
