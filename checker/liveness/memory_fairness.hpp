// Finds where a run can stay in a component of the explored graph for ever, be weakly fair, and see
// what is stored.
//
// A weak memory is fair if each store becomes visible to each lane in the end, and has finitely
// many stores before it in coherence order (docs/memory-model.md, "Fairness of memory"). So no lane
// reads the same old message of a location for ever, or stores behind it. Among the accesses of a
// location that one lane repeats, some access is not stale again and again (simt::transition). That
// is Streett's condition, with a pair for each lane and location. The recursion of Emerson and Lei
// (1987) decides it. If a strongly connected part has only stale loads of a pair, they are taken
// away, and the rest falls into smaller parts.
//
// This is no axiom. It says what "ends" means for runs that do not end (docs/memory-model.md,
// chapter 11).
#pragma once

#include <functional>
#include <optional>
#include <span>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Returns the states of one part of a strongly connected component in which such a run can stay.
/// Empty: there is none. Nothing: lanes change places in more ways than can be followed. `members`
/// are the component's states, and `inside` says whether a state is one of them.
std::optional<boost::unordered_flat_set<state_id>> part_with_fair_memory(
    simt::machine& machine, const compressed_table& states, std::span<const state_id> members,
    const std::function<bool(state_id)>& inside);

}  // namespace warpcheck
