// The graph of a small scenario as a picture, in the language of Graphviz.
#pragma once

#include <string>

#include "checker/graph/state_graph.hpp"
#include "checker/report/names.hpp"

namespace warpcheck {

/// States with where lanes stand and what memory holds, steps, and ends; states from which no
/// schedule ends are red. Beside them, what each lane may do: its places, and the ways between.
std::string dot_of(session& run, names& named, const state_graph& graph, const std::string& title);

}  // namespace warpcheck
