// Takes random walks before an exploration. They show what lanes do, so fewer rounds turn out void
// because merged continuations differ.
#pragma once

#include "checker/run/limits.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Takes one walk of at most `steps` steps, which depends on `seed` alone. The walk ends earlier if
/// time is over, the user stops it, or (where memory is no image) the machine has news. Otherwise
/// the walk goes on after news, since one walk may show hundreds. Returns the number of steps.
/// Throws lane_error.
std::size_t walk(simt::machine& machine, std::uint64_t seed, std::size_t steps,
                 const limits& bounds);

/// Takes one walk without merging, and has `merging` ask all questions that the walk has met. As
/// long as classes are too coarse, a lane gets the answers of another one. So a walk over merged
/// classes soon ends, and a lock of N tickets takes N walks. The walk is one under sc. Returns the
/// number of steps. Throws lane_automaton::given_up.
std::size_t walk_unmerged(session& run, simt::lane_automaton& merging, std::uint64_t seed,
                          std::size_t steps, const limits& bounds);

}  // namespace warpcheck
