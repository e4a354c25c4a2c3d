// Litmus tests one instruction after the other: every interleaving, with one value a location. For
// comparison with the axioms of sequential consistency; it has no relations at all.
#pragma once

#include <set>
#include <vector>

#include "litmus/program.hpp"

namespace naive {

/// Outcomes of all complete executions. Loops must have finitely many states.
std::set<std::vector<litmus::value>> run_sequentially(
    const litmus::program& p, const std::vector<litmus::variable>& observed);

}  // namespace naive
