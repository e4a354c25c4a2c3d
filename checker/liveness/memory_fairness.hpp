// Where a run can stay in a component of the explored graph for ever, be weakly fair, and see what
// is stored.
//
// A weak memory is fair if each store becomes visible to each lane in the end, and has finitely
// many stores before it in coherence order (docs/memory-model.md, "Fairness of memory"). So nobody
// reads the same old message of a location for ever, nor stores behind it: among the accesses of a
// location that one lane repeats, there is one again and again that is not stale
// (simt::transition). That is Streett's condition, a pair for each lane and location, and decided
// by the recursion of Emerson and Lei (1987): where a strongly connected part has stale loads of a
// pair and no others, these are taken away, and what is left falls into smaller parts.
//
// This is no axiom, but what "ends" means where executions do not (docs/memory-model.md, chapter
// 11).
#pragma once

#include <functional>
#include <optional>
#include <span>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// The states of one part of a strongly connected component in which such a run can stay; empty:
/// there is none. Nothing: lanes change places in more ways than can be followed. `members` are the
/// component's states, `inside` says whether a state is one.
std::optional<boost::unordered_flat_set<state_id>> part_with_fair_memory(
    simt::machine& machine, const compressed_table& states, std::span<const state_id> members,
    const std::function<bool(state_id)>& inside);

}  // namespace warpcheck
