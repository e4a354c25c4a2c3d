// Random walks before an exploration: they show what lanes do, so that fewer explorations have to
// begin anew because continuations that were taken for alike are not.
#pragma once

#include "checker/run/limits.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// One walk of at most `steps` steps, the same for each `seed`; where time or the user says so, it
/// ends before, and where the machine has news. How many were taken. Throws lane_error.
std::size_t walk(simt::machine& machine, std::uint64_t seed, std::size_t steps,
                 const limits& bounds);

}  // namespace warpcheck
