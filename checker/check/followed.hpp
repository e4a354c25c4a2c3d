// Follows an execution under weak memory to the step at which it ends there.
#pragma once

#include <cstdint>
#include <optional>

#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

// Each function takes as `run` a session under `ptx` with which nothing else was done. The result
// is an execution with the facts that the session has afterwards. Nothing: there is no such
// execution, it cannot be followed, or that takes longer than `bounds` allow.

/// Returns what is left of a violation under `ptx` when its steps are followed with all that is
/// known of the program. A race, or another step that ends the run, may come before the violation.
std::optional<violation> followed(session& run, const violation& seen, const limits& bounds);

/// Returns what is left under `ptx` of a violation of `ordered`, a session of the same subject
/// under `sc`. An execution of sequential consistency is one of PTX, in which each step reads the
/// newest message.
std::optional<violation> followed_in_order(session& run, session& ordered, const violation& seen,
                                           const limits& bounds);

/// Returns the first race under `ptx` on a random run of `ordered`, of at most `steps` steps, if
/// there is one. The two accesses may be far apart in the order of the run, but nothing orders
/// them. Finds nothing where lanes access too many locations together.
std::optional<violation> race_on_random_run(session& run, session& ordered, std::uint64_t seed,
                                            std::uint64_t steps, const limits& bounds);

}  // namespace warpcheck
