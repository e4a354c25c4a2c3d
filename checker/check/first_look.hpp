// Makes single runs of a large grid before it is explored: docs/performance.md, "A first look".
#pragma once

#include <cstdint>
#include <vector>

#include "checker/run/limits.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// A grid of this many threads or more gets single runs first. Where many lanes can step, a
/// violation that most schedules show lies deep in the order of an exploration.
constexpr std::uint32_t wide_grid = 32;

/// Whether single runs of this run can be made.
bool has_first_look(const session& run);

/// Returns violations of the `wanted` kinds that a few single runs show with memory in order: one
/// of each kind, the gravest first. Under `ptx`, returns the first of them that is a violation
/// there, too, or the violation to which its steps lead there. That holds with the facts that the
/// session has afterwards. `forbidden` counts those that the axioms forbid: they are left out.
std::vector<violation> first_look(session& run, const limits& bounds, verdict_set wanted,
                                  std::uint64_t& forbidden);

}  // namespace warpcheck
