// The relations of the PTX memory model that follow from an execution. Sources: PTX ISA, "Memory
// Consistency Model". Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory
// Consistency Model", ASPLOS 2019.
//
// Models: everything, with single locations that never overlap; proxies.hpp says which proxies.
// Does not model: accesses of several sizes or of vectors, copies that complete by groups.
#pragma once

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"
#include "litmus/proxies.hpp"

namespace litmus {

/// The relations that do not depend on how the execution is completed.
struct relations {
  relation program_order;
  relation issued;         // to a copy's load and store, from what is in front of it in its issuer
  relation issued_all;     // to all of a copy
  relation same_location;  // between accesses
  relation program_order_overlap;  // between accesses by one proxy to one address
  relation morally_strong;
  relation reads_from;
  relation rmw;              // from a read-modify-write's load to its store
  relation release_pattern;  // from its first event to the store that others read
  relation acquire_pattern;  // from the load to its last event
  relation observation;
  relation sync;
  proxy_relations proxies;
};

relations derive(const execution& x, const clauses& rules);

/// po?;((sync ∪ sc ∪ barriers);po?)⁺
relation base_causality(const relations& r, const completion& with, const clauses& rules);

/// Base causality, extended to the events of copies that it leads to by their issue. From there it
/// leads nowhere else (PTX ISA, "Asynchronous operations").
relation reaching(const relations& r, const relation& base, const clauses& rules);

/// Proxy-preserved base causality. If proxies do not matter: all of base causality.
relation preserved(const relations& r, const relation& base, const clauses& rules);

/// p ∪ obs;(p ∪ po to the same location), where p is what proxies preserve of `base`.
relation causality(const relations& r, const relation& base, const clauses& rules);

/// Whether the instruction of access `a` comes before access `b`, by this causality: what comes
/// behind the store of a read-modify-write comes behind all of it.
bool instruction_before(const execution& x, const relation& cause, event_id a, event_id b);

/// rf⁻¹;co
relation from_reads(const relations& r, const relation& coherence);

/// Whether the event is a fence that may begin a release pattern.
bool is_release_fence(const event& e, const clauses& rules);

/// Whether the scope of event `a` contains the thread of event `b`.
bool scope_includes(const execution& x, event_id a, event_id b, const clauses& rules);

/// Whether both accesses are strong, and the scope of each contains the other's thread.
bool scopes_include_each_other(const execution& x, event_id a, event_id b, const clauses& rules);

}  // namespace litmus
