// The cycle of a lasso: how a run goes round in a component for ever.
#pragma once

#include <vector>

#include "checker/explore/explorer.hpp"
#include "checker/run/result.hpp"

namespace warpcheck {

/// A cycle of the machine from `start` (a state as the machine has it, not a representative) within
/// the component of its representative: one that serves every unit that is owed progress; with
/// strong fairness, one of all that these can do there, if that is not too much. Otherwise as short
/// as can be. Empty if there is none.
std::vector<simt::choice> cycle_from(explorer& explored, const simt::state_words& start);

/// The same where the component is not explored: all enabled units take turns until a state comes
/// again. `start` is such that no run from it ends. The way into the cycle is appended to `prefix`.
std::vector<simt::choice> cycle_by_turns(simt::machine& machine, simt::state_words start,
                                         std::vector<simt::choice>& prefix);

/// A cycle of merged continuations may change values that lanes never look at. Goes round until
/// these repeat, too, moves what comes before into the prefix, and begins where the prefix first
/// comes to the cycle. (They may not repeat soon: then the cycle stays as it is.) `machine` is the
/// one without reductions.
void settle_cycle(simt::machine& machine, execution& how);

}  // namespace warpcheck
