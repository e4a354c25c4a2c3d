// Finds where a run can stay in a component of the explored graph for ever and be strongly fair.
//
// A step is owed if it is a step of a unit that is owed progress. With strong fairness, a run ends
// up in a set of states that no owed step leads out of. Such a step would be possible again and
// again, and one day it is taken (docs/model.md, "Weak and strong"). So a run can stay in a
// **trap**. A trap is a strongly connected set of states under the owed steps. No owed step leads
// out of it, and each of its states has an owed step. States in which no owed unit can step are no
// trap: only other units go on there, and that is no matter of fairness.
//
// Under weak memory, the choice of the message that a load reads is luck as well. So memory is fair
// in a trap: there is also a step that reads the newest message. In some state of a trap nothing is
// promised, or the promise would never be kept.
//
// This is the recursion for Streett's condition (Emerson and Lei 1987), with a pair for each owed
// step of each state. The recursion takes away what cannot be kept, with all that leads to it,
// until nothing more must go. Here one search backwards does that, as an owed step that leaves
// always leaves.
#pragma once

#include <functional>
#include <span>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Returns the states of all traps within a strongly connected component of the graph. `members`
/// are the component's states, and `inside` says whether a state is one of them. The graph is what
/// machine.successors lists, reduced or not.
boost::unordered_flat_set<state_id> strong_traps(simt::machine& machine,
                                                 const compressed_table& states,
                                                 std::span<const state_id> members,
                                                 const std::function<bool(state_id)>& inside);

}  // namespace warpcheck
