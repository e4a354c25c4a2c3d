// Finds values that grow on and on in the states of a search that was stopped.
#pragma once

#include <vector>

#include "checker/run/result.hpp"
#include "checker/states/compressed_table.hpp"
#include "sim/lane/device_memory.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Returns the few values that grow most. Looks at some thousands of the states at most. A value
/// grows if it comes to new extremes again and again, up to the last states, in the order in which
/// the states were met. Local variables of lanes show growth by ever new continuations at one
/// operation.
std::vector<growing_value> what_grows(simt::machine& machine, const simt::device_memory& memory,
                                      const compressed_table& states);

}  // namespace warpcheck
