// Decides whether a run can stay in a component of the reduced graph for ever and be weakly fair.
//
// Along a cycle of the reduced graph, lanes may have changed places. So "some lane steps here" says
// nothing about a certain lane. Each unit is therefore followed on its own (Emerson and Sistla
// 1996; Gyuris and Sistla 1997): docs/reductions.md, "Symmetry", has the argument.
//
// A node is a state of the component together with the units that may change places there. A
// transition leads each unit from its node to the node of the place that it has in the next state.
// The component has a fair run if every connected set of nodes contains one in which its unit is
// not owed or not enabled, or a step of the unit.
#pragma once

#include <functional>
#include <span>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// `members` are the states of the component, and `inside` says whether a state belongs to it.
bool quotient_is_fair(simt::machine& machine, const compressed_table& states,
                      std::span<const state_id> members,
                      const std::function<bool(state_id)>& inside);

}  // namespace warpcheck
