// Finds units that cannot take a step only because of a promise (docs/memory-model.md, "Load
// buffering in the machine").
//
// While a store is promised, the machine leaves out steps of others that no execution has then:
// such that would acquire from the promise of a release, and all but its reading right behind it.
// They come later. So these units do not count as waiting: to be fair to them is to let them step.
#pragma once

#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// For each unit: whether it is at an access or a fence, where it does not wait for another unit.
/// Call it for states with promises (simt::machine::has_promises).
std::vector<char> units_at_memory(const simt::machine& machine, simt::state_view state);

}  // namespace warpcheck
