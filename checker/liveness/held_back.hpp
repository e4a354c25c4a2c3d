// Finds units that cannot take a step only because of a promise (docs/memory-model.md, "Load
// buffering in the machine").
//
// While a store is promised, the machine leaves out steps of others that no execution has then.
// These are steps that would acquire from the promise of a release. Right behind a promise, they
// are all steps that do not read it. They come later, so their units do not count as waiting.
#pragma once

#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// For each unit: whether it is at an access or a fence, where it does not wait for another unit.
/// Call it for states with promises (simt::machine::has_promises).
std::vector<char> units_at_memory(const simt::machine& machine, simt::state_view state);

}  // namespace warpcheck
