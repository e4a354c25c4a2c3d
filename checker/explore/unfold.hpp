// From the reduced graph back to executions: a path through representatives becomes a path of the
// machine, from its initial state, with lanes where they are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

struct unfolded_path {
  std::vector<simt::choice> choices;
  simt::state_words state;  // where it leads
};

/// `path`: numbers in `states`. The first represents the initial state, and each other is a
/// successor of the one before. Nothing: the machine cannot follow the path step by step.
std::optional<unfolded_path> unfold(simt::machine& machine, const compressed_table& states,
                                    std::span<const state_id> path);

}  // namespace warpcheck
