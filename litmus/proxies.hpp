// Proxies: when causality between two accesses of one location counts, though they go there by
// different methods or different addresses. PTX ISA 7.5, "Proxies" and "Causality order"; Lustig,
// Cooksey, Giroux, "Mixed-Proxy Extensions for the NVIDIA PTX Memory Consistency Model", ISCA 2022.
//
// Models: the generic, constant, texture, surface and async proxies, generic aliases, and proxy
// fences.
// Does not model: the tensormap proxy; proxy fences with a direction, a scope or a state space.
#pragma once

#include <string>
#include <vector>

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

/// What does not depend on causality.
struct proxy_relations {
  /// Some access is not generic, or some location has accesses by several addresses. Otherwise
  /// nothing else in here matters.
  bool matter = false;
  event_set generic = 0;       // accesses
  event_set alias_fences = 0;  // fence.proxy.alias
  relation same_address;       // between accesses of one location
  relation no_fence_needed;    // one address, one proxy; if not the generic one, in one CTA
  relation own_fence;          // from an access to the fences of its proxy in its CTA
};

proxy_relations derive_proxies(const execution& x, const clauses& rules);

/// The proxy of an access, and whether two are of one: as far as the clauses tell them apart.
bool same_proxy(const event& a, const event& b, const clauses& rules);
bool same_address(const event& a, const event& b, const clauses& rules);

/// Proxy-preserved base causality, given base causality and program order.
relation preserved(const proxy_relations& r, const relation& base, const relation& program_order,
                   const relation& same_location, const clauses& rules);

/// The fences because of which causality from `from` to `to` counts, in their order, between these
/// two. Empty: it does not count.
std::vector<event_id> preserving_way(const proxy_relations& r, const relation& base,
                                     const relation& program_order, event_id from, event_id to);

/// The fences that a way from `from` to `to` that does not count lacks, as in "fence.proxy.surface
/// in the CTA of P0"; one element with all of them, if they are there in another order.
std::vector<std::string> missing_fences(const execution& x, const proxy_relations& r,
                                        const relation& base, const relation& program_order,
                                        event_id from, event_id to);

}  // namespace litmus
