// What single runs show of a large grid, before it is explored: docs/performance.md, "A first
// look".
#pragma once

#include <cstdint>
#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// Threads of a grid from which on single runs come first. Where many lanes can step, a race, a
/// wrong result or a deadlock that most schedules show is deep in the order of an exploration.
constexpr std::uint32_t wide_grid = 32;

/// Whether single runs can be made of this run.
bool has_first_look(const session& run);

/// The violations of the kinds that are `wanted` which a few single runs show, with memory in
/// order, one of each kind, the gravest first. Under `ptx`, the first of them that is one there,
/// too, or what the same steps come to, for a machine with the facts that the session has then.
/// `forbidden` counts those that the axioms forbid: they are left out.
std::vector<violation> first_look(session& run, const limits& bounds, verdict_set wanted,
                                  std::uint64_t& forbidden);

}  // namespace warpcheck
