// Follows an execution where memory is weak, to where it ends there.
#pragma once

#include <cstdint>
#include <optional>

#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

// `run` is a session under `ptx` that nothing else was done with. What is returned is an execution
// with the facts that it has then. Nothing: there is none, it cannot be followed, or that takes
// longer than `bounds` allow.

/// What is left of a violation under `ptx`, when its steps are followed with all that is known of
/// the program: a race, or another step that ends the run, may come before the violation.
std::optional<violation> followed(session& run, const violation& seen, const limits& bounds);

/// The same of a violation of `ordered`, a session of the same subject under `sc`: an execution of
/// sequential consistency is one of PTX, in which each step reads the newest message.
std::optional<violation> followed_in_order(session& run, session& ordered, const violation& seen,
                                           const limits& bounds);

/// The first race under `ptx` on a random run of `ordered`, of at most `steps` steps, if there is
/// one: accesses that are apart in the order of the run, and that nothing orders. Not where lanes
/// access too many locations together.
std::optional<violation> race_on_random_run(session& run, session& ordered, std::uint64_t seed,
                                            std::uint64_t steps, const limits& bounds);

}  // namespace warpcheck
