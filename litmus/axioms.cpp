// Looks for the orders of stores and fences with which an execution satisfies the axioms.
#include "litmus/axioms.hpp"

#include <array>
#include <utility>
#include <vector>

#include "litmus/barriers.hpp"

namespace litmus {

namespace {

using pairs = std::vector<std::pair<event_id, event_id>>;

/// Whether no store comes between the two halves of any read-modify-write.
bool atomic(const relations& r, const relation& coherence, bool only_morally_strong) {
  relation fr = from_reads(r, coherence), co = coherence;
  if (only_morally_strong) {
    fr &= r.morally_strong;
    co &= r.morally_strong;
  }
  return (fr * co & r.rmw).empty();
}

bool sc_per_location(const relations& r, const relation& coherence, const clauses& rules) {
  const auto strong = [&](const relation& pairs, bool they_are) {
    return they_are ? pairs & r.morally_strong : pairs;
  };
  relation all =
      rules.sc_per_location_is_of_one_location ? r.program_order_overlap : r.program_order;
  all |= strong(r.reads_from, rules.sc_per_location_reads_from_is_strong);
  all |= strong(coherence, rules.sc_per_location_coherence_is_strong);
  all |= strong(from_reads(r, coherence), rules.sc_per_location_from_reads_is_strong);
  return all.acyclic();
}

/// Causality between stores of one location. A pair of a store with itself is kept: no coherence
/// order can follow such a pair.
relation causality_between_stores(const relations& r, const relation& cause, event_set stores) {
  return cause.between(stores, stores) & r.same_location.or_same();
}

relation initial_stores_first(const execution& x, const relations& r, bool they_are) {
  relation first(x.size());
  if (!they_are) return first;
  const event_set stores = x.stores();
  for_each(stores, [&](event_id e) {
    if (x.events[e].kind == event_kind::initial) first.insert(e, r.same_location.of(e) & stores);
  });
  return first;
}

/// Orders the pairs of `open`, from `at` on, one way or the other, and keeps `order` acyclic (and
/// `transitive`). Calls `use` with each order for which `allowed` holds at each step. Returns false
/// if `use` did, or if `stop` asks for it.
template <class Allowed, class Use>
bool orient(const pairs& open, std::size_t at, const relation& order, bool transitive,
            const stop_request& stop, const Allowed& allowed, const Use& use) {
  if (stop && stop()) return false;
  while (at < open.size() &&
         (order(open[at].first, open[at].second) || order(open[at].second, open[at].first))) {
    ++at;
  }
  if (at == open.size()) return use(order);
  const auto [a, b] = open[at];
  for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}}) {
    relation next = order;
    next.insert(first, second);
    if (transitive) next = next.transitive();
    if (!next.acyclic() || !allowed(next)) continue;
    if (!orient(open, at + 1, next, transitive, stop, allowed, use)) return false;
  }
  return true;
}

/// The pairs of events of the set for which `related` holds.
template <class Related>
pairs pairs_of(event_set set, const Related& related) {
  pairs all;
  for_each(set, [&](event_id a) {
    for_each(set, [&](event_id b) {
      if (a < b && related(a, b)) all.emplace_back(a, b);
    });
  });
  return all;
}

/// Calls `use` with `with`, completed by each order of coherence that `open` permits.
template <class Allowed>
bool complete(const pairs& open, const completion& with, bool transitive, const stop_request& stop,
              const Allowed& allowed, const std::function<bool(const completion&)>& use) {
  return orient(open, 0, with.coherence, transitive, stop, allowed, [&](const relation& coherence) {
    completion all = with;
    all.coherence = coherence;
    return use(all);
  });
}

class ptx_judge {
 public:
  ptx_judge(const execution& x, const clauses& rules, const stop_request& stop)
      : x_(x), rules_(rules), stop_(stop), r_(derive(x, rules)), stores_(x.stores()) {}

  /// Derives causality, and the part of coherence that follows from it. False: an axiom is
  /// violated.
  bool set(const relation& barriers, const relation& sc) {
    with_.barriers = barriers;
    with_.sc = sc;
    const relation base = base_causality(r_, with_, rules_);
    cause_ = causality(r_, base, rules_);
    if (rules_.causality_and_reads_from && !(r_.reads_from * cause_).irreflexive()) return false;
    // The axiom concerns fences, which no proxy separates.
    if (rules_.fence_sc_follows_causality && !(sc * base).irreflexive()) return false;
    with_.coherence = initial_stores_first(x_, r_, rules_.initial_stores_come_first);
    if (rules_.coherence_follows_causality) {
      with_.coherence |= causality_between_stores(r_, cause_, stores_);
    }
    // SC-per-location would reject the other direction later.
    if (rules_.sc_per_location && rules_.morally_strong_stores_are_ordered &&
        rules_.program_order_is_strong) {
      with_.coherence |= r_.program_order_overlap.between(stores_, stores_);
    }
    if (rules_.coherence_is_transitive) with_.coherence = with_.coherence.transitive();
    return with_.coherence.acyclic() && allows(with_.coherence);
  }

  bool for_each_coherence(const std::function<bool(const completion&)>& use) {
    const pairs open = pairs_of(stores_, [&](event_id a, event_id b) {
      if (!r_.same_location(a, b)) return false;
      const bool rmw = x_.events[a].partner != no_event || x_.events[b].partner != no_event;
      return !rules_.coherence_is_partial || (rmw && !rules_.atomicity_only_morally_strong) ||
             (r_.morally_strong(a, b) && rules_.morally_strong_stores_are_ordered);
    });
    return complete(
        open, with_, rules_.coherence_is_transitive, stop_,
        [&](const relation& co) { return allows(co); }, use);
  }

  /// Tries each acyclic order of the morally strong fence.sc that no axiom forbids so far.
  void for_each_fence_order(const relation& barriers, bool& go_on,
                            const std::function<bool(const completion&)>& use) {
    const event_set fences = x_.those(
        [](const event& e) { return e.kind == event_kind::fence && e.order == memory_order::sc; });
    const bool all = !rules_.fence_sc_order_is_morally_strong;
    const pairs open =
        pairs_of(fences, [&](event_id a, event_id b) { return all || r_.morally_strong(a, b); });
    const auto strong = [&](const relation& order) {
      return all ? order : order & r_.morally_strong;
    };
    if (!set(barriers, relation(x_.size()))) return;
    go_on = orient(
        open, 0, relation(x_.size()), true, stop_,
        [&](const relation& order) { return set(barriers, strong(order)); },
        [&](const relation& order) {
          return !set(barriers, strong(order)) || for_each_coherence(use);
        });
  }

 private:
  [[nodiscard]] bool allows(const relation& co) const {
    if (rules_.atomicity && !atomic(r_, co, rules_.atomicity_only_morally_strong)) return false;
    if (rules_.causality_and_from_reads && !(from_reads(r_, co) * cause_).irreflexive()) {
      return false;
    }
    return !rules_.sc_per_location || sc_per_location(r_, co, rules_);
  }

  const execution& x_;
  const clauses& rules_;
  stop_request stop_;
  relations r_;
  event_set stores_;
  completion with_;
  relation cause_;
};

class sc_judge {
 public:
  sc_judge(const execution& x, const clauses& rules, const stop_request& stop)
      : x_(x), rules_(rules), stop_(stop), r_(derive(x, rules)), stores_(x.stores()) {}

  /// A barrier takes its place in the order when it arrives.
  bool set(const relation& barriers, const relation& waits) {
    with_.barriers = barriers;
    with_.waits = waits;
    with_.sc = relation(x_.size());
    fixed_ = r_.program_order | r_.issued_all | r_.reads_from | waits;
    with_.coherence = initial_stores_first(x_, r_, true);
    // The order of all instructions would reject the other direction later.
    if (rules_.one_after_the_other) {
      with_.coherence |= (r_.program_order & r_.same_location).between(stores_, stores_);
    }
    with_.coherence = with_.coherence.transitive();
    return with_.coherence.irreflexive() && allows(with_.coherence);
  }

  bool for_each_coherence(const std::function<bool(const completion&)>& use) {
    const pairs open =
        pairs_of(stores_, [&](event_id a, event_id b) { return r_.same_location(a, b); });
    return complete(
        open, with_, true, stop_, [&](const relation& co) { return allows(co); }, use);
  }

 private:
  [[nodiscard]] bool allows(const relation& co) const {
    if (rules_.atomicity && !atomic(r_, co, false)) return false;
    return !rules_.one_after_the_other || (fixed_ | co | from_reads(r_, co)).acyclic();
  }

  const execution& x_;
  const clauses& rules_;
  stop_request stop_;
  relations r_;
  event_set stores_;
  completion with_;
  relation fixed_;
};

}  // namespace

std::string_view name(memory_model m) { return m == memory_model::ptx ? "ptx" : "sc"; }

std::string_view name(axiom a) {
  constexpr std::array<std::string_view, 6> names{"Coherence",       "Fence-SC",  "Atomicity",
                                                  "SC-per-location", "Causality", "No-thin-air"};
  return names[static_cast<std::size_t>(a)];
}

bool may_be_allowed(const execution& x, memory_model model, const clauses& rules) {
  const relation none(x.size());
  if (model == memory_model::sc) return sc_judge(x, rules, {}).set(none, none);
  return ptx_judge(x, rules, {}).set(none, none);
}

void for_each_allowed(const execution& x, event_set blocked, memory_model model,
                      const clauses& rules, const std::function<bool(const completion&)>& use,
                      const stop_request& stop) {
  if (model == memory_model::sc) {
    sc_judge judge(x, rules, stop);
    for_each_synchronization(x, blocked, rules,
                             [&](const relation& barriers, const relation& waits) {
                               return !judge.set(barriers, waits) || judge.for_each_coherence(use);
                             });
    return;
  }
  ptx_judge judge(x, rules, stop);
  for_each_synchronization(x, blocked, rules, [&](const relation& barriers, const relation&) {
    bool go_on = true;
    judge.for_each_fence_order(barriers, go_on, use);
    return go_on;
  });
}

bool has_no_thin_air(const execution& x, const clauses& rules) {
  relation needs(x.size());
  for_each(x.present, [&](event_id e) {
    if (rules.no_thin_air_over_data) needs.insert(e, x.events[e].data & x.present);
    if (rules.no_thin_air_over_control) needs.insert(e, x.events[e].control & x.present);
    if (x.source[e] != no_event) needs.insert(e, x.source[e]);
  });
  return needs.acyclic();
}

std::optional<axiom> violated(const execution& x, const completion& with) {
  const clauses rules;
  const relations r = derive(x, rules);
  const relation base = base_causality(r, with, rules);
  const relation cause = causality(r, base, rules);
  const event_set stores = x.stores();
  if (!((r.reads_from | from_reads(r, with.coherence)) * cause).irreflexive()) {
    return axiom::causality;
  }
  const relation needed = causality_between_stores(r, cause, stores);
  if (!(with.coherence | needed).acyclic()) return axiom::coherence;
  for (event_id a = 0; a < x.size(); ++a) {
    if ((needed.of(a) & ~with.coherence.of(a)) != 0) return axiom::coherence;
    const event_set open = r.same_location.of(a) & r.morally_strong.of(a) & stores &
                           ~with.coherence.of(a) & ~with.coherence.inverse().of(a);
    if (contains(stores, a) && open != 0) return axiom::coherence;
  }
  if (!(with.sc * base).irreflexive()) return axiom::fence_sc;
  if (!atomic(r, with.coherence, true)) return axiom::atomicity;
  if (!sc_per_location(r, with.coherence, rules)) return axiom::sc_per_location;
  if (!has_no_thin_air(x, rules)) return axiom::no_thin_air;
  return std::nullopt;
}

}  // namespace litmus
