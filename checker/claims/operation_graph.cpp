// Answers whether a unit is enabled or has a pending operation in a state.
#include "checker/claims/operation_graph.hpp"

#include <algorithm>

namespace warpcheck {

bool operation_graph::is_enabled(std::uint32_t unit, state_id s) const {
  const graph_status& here = status(s);
  if (here.promised && here.held_back[unit] != 0) return true;
  return std::ranges::any_of(
      out(s), [&](const edge& e) { return std::ranges::binary_search(steps[e.step].units, unit); });
}

bool operation_graph::is_pending(std::uint32_t unit, state_id s) const {
  const graph_status& here = status(s);
  for (std::uint32_t c = 0; c < clients(); ++c) {
    if (unit_of[c] == unit && here.pending[c] != 0) return true;
  }
  return false;
}

}  // namespace warpcheck
