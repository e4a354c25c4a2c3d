// Turns a path through representatives of the reduced graph into a path of the machine, from its
// initial state, with lanes where they are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

struct unfolded_path {
  std::vector<simt::choice> choices;
  simt::state_words state;  // the state that the choices lead to
};

/// `path` holds numbers of states in `states`. The first represents the initial state, and each
/// other is a successor of the one before. Returns nothing if the machine cannot follow the path
/// step by step.
std::optional<unfolded_path> unfold(simt::machine& machine, const compressed_table& states,
                                    std::span<const state_id> path);

}  // namespace warpcheck
