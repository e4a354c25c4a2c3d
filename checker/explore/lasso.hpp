// Makes the cycle of a lasso: how a run goes round in a component for ever.
#pragma once

#include <vector>

#include "checker/explore/explorer.hpp"
#include "checker/run/result.hpp"

namespace warpcheck {

/// Returns a cycle of the machine from `start` (a state of the machine, not a representative)
/// within the component of its representative. The cycle serves every unit that is owed progress.
/// With strong fairness it has all steps that these units can take there, if they are not too many.
/// Apart from that it is as short as can be. Empty if there is no cycle.
std::vector<simt::choice> cycle_from(explorer& explored, const simt::state_words& start);

/// Makes a cycle if the component is not explored: all enabled units take turns until a state comes
/// again. No run from `start` may end. Appends the way into the cycle to `prefix`. Returns the
/// cycle.
std::vector<simt::choice> cycle_by_turns(simt::machine& machine, simt::state_words start,
                                         std::vector<simt::choice>& prefix);

/// A cycle of merged continuations may change values that lanes never read. This function goes
/// round until these values repeat, too, and moves the rounds before into the prefix. The cycle
/// then begins where the prefix first meets it; the first `kept` choices of the prefix stay. If the
/// values do not repeat soon, the cycle stays unchanged. `machine` has no reductions.
void settle_cycle(simt::machine& machine, execution& how, std::size_t kept = 0);

}  // namespace warpcheck
