// Where a run can stay in a component of the explored graph for ever and be strongly fair.
//
// With strong fairness, a run ends up in a set of states that no step of anybody owed progress
// leads out of: such a step is possible again and again, and one day it is taken (docs/model.md,
// "Weak and strong"). So it can stay where owed steps, all of them, lead round and round: in a
// **trap**, a strongly connected set of states under the steps of those owed progress, which none
// of these leads out of, and in each state of which there is one. Nobody stays where nobody who is
// owed progress can step: others go on, and that is no matter of fairness.
//
// Where memory is weak, which message a load reads is luck as well, so memory is fair in a trap: of
// the newest message there is a step, too. And in some state of a trap nothing is promised, or the
// promise would never be kept.
//
// This is the recursion for Streett's condition (Emerson and Lei 1987), with a pair for each owed
// step of each state: what cannot be kept is taken away, with all that it leads to, until nothing
// more need be. Here one search backwards does it, as an owed step that leaves always leaves.
#pragma once

#include <functional>
#include <span>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// The states of all traps within a strongly connected component of the graph, whose states are
/// `members`; `inside` says whether a state is one of them. Reduced or not, the graph is what
/// machine.successors lists.
boost::unordered_flat_set<state_id> strong_traps(simt::machine& machine,
                                                 const compressed_table& states,
                                                 std::span<const state_id> members,
                                                 const std::function<bool(state_id)>& inside);

}  // namespace warpcheck
