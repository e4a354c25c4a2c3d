// Derives program order, moral strength, patterns, synchronization and causality from an execution.
#include "litmus/relations.hpp"

namespace litmus {

namespace {

/// The smallest scope that contains both threads.
scope between(const execution& x, event_id a, event_id b, const clauses& rules) {
  const std::uint32_t first = x.events[a].thread, second = x.events[b].thread;
  if (first == second) return scope::cta;
  const placement &left = x.program->threads[first].place,
                  &right = x.program->threads[second].place;
  if (!rules.cta_is_told_by_gpu && left.cta == right.cta) return scope::cta;
  const scope common = common_scope(*x.program, first, second);
  if (!rules.cta_is_narrower_than_cluster && common == scope::cluster) return scope::cta;
  if (!rules.cluster_is_narrower_than_gpu && common == scope::gpu) return scope::cluster;
  if (!rules.gpu_is_narrower_than_sys && common == scope::sys) return scope::gpu;
  return common;
}

bool is_strong(const event& e, const clauses& rules) {
  if (e.kind == event_kind::initial || e.kind == event_kind::proxy_fence ||
      e.kind == event_kind::barrier) {
    return false;
  }
  return e.order != memory_order::weak || !rules.weak_is_not_strong;
}

bool includes(scope s, scope needed, const clauses& rules) {
  if (!rules.cluster_is_wider_than_cta && s == scope::cluster) s = scope::cta;
  if (!rules.gpu_is_wider_than_cluster && s == scope::gpu) s = scope::cluster;
  if (!rules.sys_is_wider_than_gpu && s == scope::sys) s = scope::gpu;
  return s == scope::none || s >= needed;  // none: weak, and taken for strong
}

bool is_acquire_fence(const event& e, const clauses& rules) {
  if (e.kind != event_kind::fence) return false;
  switch (e.order) {
    case memory_order::sc: return rules.fence_sc_acquires;
    case memory_order::acq_rel: return rules.fence_acq_rel_acquires;
    case memory_order::acquire: return rules.fence_acquire_acquires;
    default: return !rules.fence_release_only_releases;
  }
}

bool releases(const event& e) {
  return e.kind == event_kind::store &&
         (e.order == memory_order::release || e.order == memory_order::acq_rel);
}

bool acquires(const event& e, const clauses& rules) {
  return e.kind == event_kind::load && !(e.red && rules.red_never_acquires) &&
         (e.order == memory_order::acquire || e.order == memory_order::acq_rel);
}

/// Whether the release or acquire of the first event may form a pattern with the second.
bool on_one_location(const event& a, const event& b, const clauses& rules) {
  return a.location == b.location &&
         (same_address(a, b, rules) || !rules.patterns_are_of_one_address);
}

void derive_release_patterns(const execution& x, const clauses& rules, relations& r) {
  for_each(x.present, [&](event_id a) {
    const event& first = x.events[a];
    const bool fence = is_release_fence(first, rules);
    if (releases(first) && rules.release_store) r.release_pattern.insert(a, a);
    if (!releases(first) && !fence) return;
    for_each(r.program_order.of(a) & x.present, [&](event_id w) {
      const event& later = x.events[w];
      if (later.kind != event_kind::store) return;
      if (fence) {
        if (!rules.fence_then_strong_store) return;
        if (!is_strong(later, rules)) return;
      } else {
        if (!rules.release_store_then_strong_store || !is_strong(later, rules)) return;
        if (rules.release_then_same_location && !on_one_location(first, later, rules)) return;
      }
      r.release_pattern.insert(a, w);
    });
  });
}

void derive_acquire_patterns(const execution& x, const clauses& rules, relations& r) {
  for_each(x.present, [&](event_id l) {
    const event& first = x.events[l];
    if (first.kind != event_kind::load || (first.red && rules.red_never_acquires)) return;
    if (acquires(first, rules) && rules.acquire_load) r.acquire_pattern.insert(l, l);
    for_each(r.program_order.of(l) & x.present, [&](event_id b) {
      const event& later = x.events[b];
      if (is_acquire_fence(later, rules)) {
        if (!rules.strong_load_then_fence) return;
        if (!is_strong(first, rules) && rules.load_then_fence_is_strong) return;
      } else if (acquires(later, rules)) {
        if (!rules.strong_load_then_acquire_load) return;
        if (!is_strong(first, rules) && rules.load_then_acquire_load_is_strong) return;
        if (rules.acquire_then_same_location && !on_one_location(first, later, rules)) return;
      } else {
        return;
      }
      r.acquire_pattern.insert(l, b);
    });
  });
}

}  // namespace

bool is_release_fence(const event& e, const clauses& rules) {
  if (e.kind != event_kind::fence) return false;
  switch (e.order) {
    case memory_order::sc: return rules.fence_sc_releases;
    case memory_order::acq_rel: return rules.fence_acq_rel_releases;
    case memory_order::release: return rules.fence_release_releases;
    default: return !rules.fence_acquire_only_acquires;
  }
}

bool scope_includes(const execution& x, event_id a, event_id b, const clauses& rules) {
  return !rules.scopes_matter || includes(x.events[a].scope, between(x, a, b, rules), rules);
}

bool scopes_include_each_other(const execution& x, event_id a, event_id b, const clauses& rules) {
  const event &left = x.events[a], &right = x.events[b];
  if (!is_strong(left, rules) || !is_strong(right, rules)) return false;
  if (!rules.scopes_matter) return true;
  const scope needed = between(x, a, b, rules);
  const bool one = includes(left.scope, needed, rules),
             other = includes(right.scope, needed, rules);
  return rules.both_scopes_matter ? one && other : one || other;
}

relations derive(const execution& x, const clauses& rules) {
  const std::uint32_t n = x.size();
  relations r{relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              relation(n),
              derive_proxies(x, rules)};
  for_each(x.present, [&](event_id a) {
    const event& left = x.events[a];
    for_each(x.present & ~only(a), [&](event_id b) {
      const event& right = x.events[b];
      const bool same_thread = left.thread == right.thread && left.thread != no_thread;
      const bool before = same_thread && left.index < right.index;
      const bool both_access = left.accesses() && right.accesses();
      const bool same = both_access && left.location == right.location;
      if (before) r.program_order.insert(a, b);
      if (same) r.same_location.insert(a, b);
      const bool one_proxy = same_proxy(left, right, rules);
      if (before && same && one_proxy && same_address(left, right, rules)) {
        r.program_order_overlap.insert(a, b);
      }
      if (both_access && !same) return;
      // A memory fence uses the generic proxy.
      if (!one_proxy && rules.morally_strong_is_of_one_proxy) return;
      if (both_access && !same_address(left, right, rules) &&
          rules.morally_strong_is_of_one_address) {
        return;
      }
      const bool strong = (same_thread && rules.program_order_is_strong) ||
                          scopes_include_each_other(x, a, b, rules);
      if (strong) r.morally_strong.insert(a, b);
    });
    if (!x.issued_at.empty() && left.thread != no_thread) {
      const auto issuer = x.program->threads[left.thread].issuer;
      const auto in_front = [&](const event& e) {
        return issuer && e.thread == *issuer && e.index < x.issued_at[left.thread];
      };
      for_each(x.those(in_front), [&](event_id before) {
        r.issued_all.insert(before, a);
        if (left.accesses() && left.partner == no_event) r.issued.insert(before, a);
      });
    }
    if (left.kind != event_kind::load) return;
    if (x.source[a] != no_event) r.reads_from.insert(x.source[a], a);
    if (left.partner != no_event && contains(x.present, left.partner))
      r.rmw.insert(a, left.partner);
  });
  derive_release_patterns(x, rules, r);
  derive_acquire_patterns(x, rules, r);
  const relation strong = r.reads_from & r.morally_strong;
  r.observation = rules.observation_is_morally_strong ? strong : r.reads_from;
  if (rules.observation_through_rmw) {
    relation further =
        r.rmw * (rules.observation_behind_rmw_is_morally_strong ? strong : r.reads_from);
    if (rules.observation_through_several_rmws) further = further.transitive();
    r.observation = r.observation * further.or_same();
  }
  r.sync = r.release_pattern * r.observation * r.acquire_pattern;
  if (rules.ends_are_morally_strong) r.sync &= r.morally_strong;
  return r;
}

relation base_causality(const relations& r, const completion& with, const clauses& rules) {
  relation steps(r.sync.size());
  if (rules.sync_is_causality) steps |= r.sync;
  if (rules.fence_sc_order_is_causality) steps |= with.sc;
  if (rules.barriers_are_causality) steps |= with.barriers;
  if (!rules.issuing_leads_nowhere_else) steps |= r.issued_all;
  if (rules.program_order_before_causality) steps = r.program_order.or_same() * steps;
  if (rules.program_order_behind_causality) steps = steps * r.program_order.or_same();
  return rules.causality_is_transitive ? steps.transitive() : steps;
}

relation reaching(const relations& r, const relation& base, const clauses& rules) {
  if (!rules.copies_are_behind_their_issue) return base;
  return base | ((base | r.program_order).or_same() * r.issued);
}

relation preserved(const relations& r, const relation& base, const clauses& rules) {
  if (!r.proxies.matter) return base;
  return preserved(r.proxies, reaching(r, base, rules), r.program_order, r.same_location, rules);
}

relation causality(const relations& r, const relation& base, const clauses& rules) {
  const relation kept = preserved(r, base, rules);
  relation all = kept;
  if (rules.observation_begins_causality) all |= r.observation * kept;
  if (rules.observation_then_same_location) {
    all |= r.observation * r.program_order_overlap;
  }
  return all;
}

bool instruction_before(const execution& x, const relation& cause, event_id a, event_id b) {
  const event_id store = x.events[a].stores() ? no_event : x.events[a].partner;
  return cause(a, b) || (store != no_event && cause(store, b));
}

relation from_reads(const relations& r, const relation& coherence) {
  return r.reads_from.inverse() * coherence;
}

}  // namespace litmus
