// Who cannot take a step only because of what is promised (docs/memory-model.md, "Load buffering in
// the machine").
//
// While a store is promised, the machine leaves out steps of others that no execution has then:
// such that would acquire from the promise of a release, and all but its reading right behind it.
// They come later. So nobody may think of these units as waiting: to be fair to them is to let them
// step.
#pragma once

#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// By unit: whether it is at an access or a fence, where it waits for nobody. To be asked where
/// something is promised (simt::machine::has_promises).
std::vector<char> units_at_memory(const simt::machine& machine, simt::state_view state);

}  // namespace warpcheck
