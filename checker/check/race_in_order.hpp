// A race under `ptx` that is there with memory in order, too.
#pragma once

#include <optional>

#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// Threads of a grid from which on a race is looked for with memory in order first. There, each
/// state under `ptx` is large; the two accesses of most races are seen side by side in order, too.
constexpr std::uint32_t wide_grid = 64;

/// `in_order` leads into a race in a run of the same subject under `sc`. The same steps under
/// `ptx`, each with the newest message, up to where they are a race there: an execution of
/// sequential consistency is one of PTX. Nothing: they are none, or following them takes longer
/// than `bounds` allow.
std::optional<execution> race_under_ptx(session& run, const execution& in_order,
                                        const limits& bounds);

}  // namespace warpcheck
