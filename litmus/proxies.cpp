// Decides which proxy fences an order of two accesses needs, and whether they stand there.
#include "litmus/proxies.hpp"

#include <fmt/format.h>

namespace litmus {

namespace {

bool is_generic(const event& e, const clauses& rules) {
  return e.proxy == proxy::generic || !rules.proxies_are_told_apart;
}

bool of_one_cta(const execution& x, event_id a, event_id b) {
  const std::uint32_t first = x.events[a].thread, second = x.events[b].thread;
  return first == second || common_scope(*x.program, first, second) == scope::cta;
}

/// Whether the fence is for the proxy of this access, and in its CTA.
bool is_own_fence(const execution& x, event_id access, event_id fence, const clauses& rules) {
  const proxy kind = x.events[fence].proxy;
  if (x.events[fence].kind != event_kind::proxy_fence || kind == proxy::alias) return false;
  if (kind != x.events[access].proxy && rules.proxy_fence_is_of_its_proxy) return false;
  return of_one_cta(x, access, fence) || !rules.proxy_fence_is_of_its_cta;
}

/// The fences of an access's proxy that lie on a way behind it, or in front of it.
relation behind(const proxy_relations& r, const relation& way) { return r.own_fence & way; }
relation in_front(const proxy_relations& r, const relation& way) {
  return r.own_fence.inverse() & way;
}

relation identity(std::uint32_t size, event_set of) {
  relation result(size);
  for_each(of, [&](event_id e) { result.insert(e, e); });
  return result;
}

}  // namespace

bool same_proxy(const event& a, const event& b, const clauses& rules) {
  return a.proxy == b.proxy || !rules.proxies_are_told_apart;
}

bool same_address(const event& a, const event& b, const clauses& rules) {
  return a.location == b.location && (a.address == b.address || !rules.addresses_are_told_apart);
}

proxy_relations derive_proxies(const execution& x, const clauses& rules) {
  const std::uint32_t n = x.size();
  proxy_relations r{false, 0, 0, relation(n), relation(n), relation(n)};
  const auto is_plain = [&](const event& e) { return e.proxy == proxy::generic && e.address == 0; };
  if (x.those([&](const event& e) { return !is_plain(e); }) == 0) return r;
  const event_set accesses =
      x.those([](const event& e) { return e.accesses() && e.thread != no_thread; });
  for_each(accesses, [&](event_id a) {
    const event& one = x.events[a];
    if (is_generic(one, rules)) {
      r.generic |= only(a);
    } else {
      r.matter = true;
    }
    for_each(accesses & ~only(a), [&](event_id b) {
      const event& other = x.events[b];
      if (one.location != other.location) return;
      if (!same_address(one, other, rules)) {
        r.matter = true;
        return;
      }
      r.same_address.insert(a, b);
      if (!same_proxy(one, other, rules)) return;
      const bool any_cta = is_generic(one, rules) || !rules.same_proxy_is_of_one_cta;
      const bool here = of_one_cta(x, a, b) && rules.same_proxy_needs_no_fence;
      if (any_cta || here) r.no_fence_needed.insert(a, b);
    });
  });
  if (!r.matter) return r;
  for_each(x.present, [&](event_id fence) {
    const event& one = x.events[fence];
    if (one.kind == event_kind::proxy_fence && one.proxy == proxy::alias) {
      r.alias_fences |= only(fence);
    }
    for_each(accesses & ~r.generic, [&](event_id a) {
      if (is_own_fence(x, a, fence, rules)) r.own_fence.insert(a, fence);
    });
  });
  return r;
}

relation preserved(const proxy_relations& r, const relation& base, const relation& program_order,
                   const relation& same_location, const clauses& rules) {
  const relation way = rules.program_order_leads_to_proxy_fences ? base | program_order : base;
  const relation generic = identity(base.size(), r.generic);
  relation out(base.size()), in(base.size());
  if (rules.proxy_fence_behind_source) out = behind(r, way);
  if (rules.proxy_fence_before_target) in = in_front(r, way);
  const relation first = generic | out, last = generic | in;
  // Between two generic accesses to one address only base causality itself counts. SC-per-location
  // covers program order between them.
  relation fenced = first * way * in | out * way * last;
  if (!rules.proxy_fences_are_in_order) {
    fenced |= (out * way & way * last) | (first * way & way * in);
  }
  relation result = (base & r.no_fence_needed) | (fenced & r.same_address);
  if (!rules.alias_fence_orders_aliases) return result;
  const event_set everybody = ~event_set{0};
  const relation to_alias = way.between(everybody, r.alias_fences);
  const relation from_alias = way.between(r.alias_fences, everybody);
  relation aliased = first * to_alias * from_alias * last;
  if (!rules.alias_fence_is_behind_proxy_fence) {
    aliased |= first * way * last & to_alias * from_alias * last;
  }
  if (!rules.alias_fence_is_before_proxy_fence) {
    aliased |= first * way * last & first * to_alias * from_alias;
  }
  return result | (aliased & same_location);
}

std::vector<event_id> preserving_way(const proxy_relations& r, const relation& base,
                                     const relation& program_order, event_id from, event_id to) {
  if (base(from, to) && r.no_fence_needed(from, to)) return {from, to};
  const relation way = base | program_order;
  std::vector<event_id> best;
  const auto consider = [&](std::vector<event_id> stops) {
    if (best.empty() || stops.size() < best.size()) best = std::move(stops);
  };
  const auto ends = [&](event_id e, event_set fences) {
    return contains(r.generic, e) ? only(e) : fences;
  };
  const event_set firsts = ends(from, behind(r, way).of(from));
  const event_set lasts = ends(to, in_front(r, way).inverse().of(to));
  const auto add = [&](event_id a, std::optional<event_id> between, event_id b) {
    std::vector<event_id> stops{from};
    if (a != from) stops.push_back(a);
    if (between) stops.push_back(*between);
    if (b != to) stops.push_back(b);
    stops.push_back(to);
    consider(std::move(stops));
  };
  for_each(firsts, [&](event_id a) {
    for_each(lasts, [&](event_id b) {
      const bool fenced = a != from || b != to;
      if (r.same_address(from, to) && fenced && way(a, b)) add(a, std::nullopt, b);
      for_each(r.alias_fences & way.of(a), [&](event_id alias) {
        if (way(alias, b)) add(a, alias, b);
      });
    });
  });
  return best;
}

std::vector<std::string> missing_fences(const execution& x, const proxy_relations& r,
                                        const relation& base, const relation& program_order,
                                        event_id from, event_id to) {
  const relation way = base | program_order;
  std::vector<std::string> missing;
  const bool one_cta = of_one_cta(x, from, to);
  const auto own = [&](event_id e) {
    const std::string fence = fmt::format("fence.proxy.{}", name(x.events[e].proxy));
    return one_cta ? fence
                   : fmt::format("{} in the CTA of {}", fence,
                                 name_of_thread(*x.program, x.events[e].thread));
  };
  const event_set between = way.of(from) & way.inverse().of(to);
  const bool leaves = !contains(r.generic, from), enters = !contains(r.generic, to);
  const bool other_address = !r.same_address(from, to);
  if (leaves && (r.own_fence.of(from) & between) == 0) missing.push_back(own(from));
  if (other_address && (r.alias_fences & between) == 0) missing.emplace_back("fence.proxy.alias");
  if (enters && (r.own_fence.of(to) & between) == 0) {
    const std::string fence = own(to);
    if (missing.empty() || missing.front() != fence) missing.push_back(fence);
  }
  if (!missing.empty()) return missing;
  std::string order;
  const auto then = [&](const std::string& fence) {
    order += order.empty() ? fence : ", then " + fence;
  };
  if (leaves) then(own(from));
  if (other_address) then("fence.proxy.alias");
  if (enters) then(own(to));
  return {order + ", in this order"};
}

}  // namespace litmus
