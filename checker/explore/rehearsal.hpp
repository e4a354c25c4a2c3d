// Random walks before an exploration: they show what lanes do, so that fewer explorations have to
// begin anew because continuations that were taken for alike are not.
#pragma once

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// One walk of at most `steps` steps, the same for each `seed`. Throws partition_split (something
/// was learnt: the machine is void), lane_error.
void walk(simt::machine& machine, std::uint64_t seed, std::size_t steps);

}  // namespace warpcheck
