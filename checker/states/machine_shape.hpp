// Says how a machine's states lie in a table.
#pragma once

#include "checker/states/state_tree.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Memory changes with most steps. The word of the grid's status lies beside the word of memory.
inline state_shape shape_of(const simt::machine& machine) {
  return {machine.words(), machine.memory_word(), 2};
}

}  // namespace warpcheck
