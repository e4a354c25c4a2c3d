// Proxies: when causality between two accesses of one location counts, though their methods or
// addresses differ. PTX ISA 7.5, "Proxies" and "Causality order"; Lustig, Cooksey, Giroux,
// "Mixed-Proxy Extensions for the NVIDIA PTX Memory Consistency Model", ISCA 2022.
//
// Models: the generic, constant, texture, surface and async proxies, generic aliases, and proxy
// fences. Does not model: the tensormap proxy; proxy fences with a direction, a scope or a state
// space.
#pragma once

#include <string>
#include <vector>

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

/// The relations of proxies that do not depend on causality.
struct proxy_relations {
  /// Some access is not generic, or some location has accesses by several addresses. If not, all
  /// other members are empty.
  bool matter = false;
  event_set generic = 0;       // accesses
  event_set alias_fences = 0;  // fence.proxy.alias
  relation same_address;       // between accesses of one location
  relation no_fence_needed;    // one address, one proxy; if not the generic one, in one CTA
  relation own_fence;          // from an access to the fences of its proxy in its CTA
};

proxy_relations derive_proxies(const execution& x, const clauses& rules);

/// Whether two accesses have one proxy, or one address, as far as the clauses tell them apart.
bool same_proxy(const event& a, const event& b, const clauses& rules);
bool same_address(const event& a, const event& b, const clauses& rules);

/// Proxy-preserved base causality, given base causality and program order.
relation preserved(const proxy_relations& r, const relation& base, const relation& program_order,
                   const relation& same_location, const clauses& rules);

/// The fences that make causality from `from` to `to` count, in their order, with both ends. Empty:
/// it does not count.
std::vector<event_id> preserving_way(const proxy_relations& r, const relation& base,
                                     const relation& program_order, event_id from, event_id to);

/// The fences that are missing on a way from `from` to `to` that does not count, such as
/// "fence.proxy.surface in the CTA of P0". If all are there in another order: one element that
/// names all.
std::vector<std::string> missing_fences(const execution& x, const proxy_relations& r,
                                        const relation& base, const relation& program_order,
                                        event_id from, event_id to);

}  // namespace litmus
