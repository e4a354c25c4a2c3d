// The relations of the PTX memory model that follow from an execution: PTX ISA, "Memory Consistency
// Model"; Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency
// Model", ASPLOS 2019.
//
// Models: everything but proxies, with single locations that never overlap.
// Does not model: accesses of several sizes or of vectors, asynchronous copies.
#pragma once

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

/// What does not depend on how the execution is completed.
struct relations {
  relation program_order;
  relation same_location;  // between accesses
  relation program_order_same_location;
  relation morally_strong;
  relation reads_from;
  relation rmw;              // from a read-modify-write's load to its store
  relation release_pattern;  // from its first event to the store that others read
  relation acquire_pattern;  // from the load to its last event
  relation observation;
  relation sync;
};

relations derive(const execution& x, const clauses& rules);

/// po?;((sync ∪ sc ∪ barriers);po?)⁺
relation base_causality(const relations& r, const completion& with, const clauses& rules);

/// base ∪ obs;(base ∪ po to the same location)
relation causality(const relations& r, const relation& base, const clauses& rules);

/// rf⁻¹;co
relation from_reads(const relations& r, const relation& coherence);

/// Whether the scope of each contains the other's thread, and both are strong.
bool scopes_include_each_other(const execution& x, event_id a, event_id b, const clauses& rules);

}  // namespace litmus
