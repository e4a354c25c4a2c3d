// Random walks before an exploration. They show what lanes do, so fewer rounds turn out void
// because merged continuations differ.
#pragma once

#include "checker/run/limits.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Takes one walk of at most `steps` steps, which depends on `seed` alone. The walk ends earlier if
/// time is over, the user stops it, or the machine has news. Returns the number of steps. Throws
/// lane_error.
std::size_t walk(simt::machine& machine, std::uint64_t seed, std::size_t steps,
                 const limits& bounds);

}  // namespace warpcheck
