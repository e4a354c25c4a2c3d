// Finds the events that meet at each barrier, and chooses which of them synchronize.
#include "litmus/barriers.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "litmus/relations.hpp"

namespace litmus {

namespace {

bool same_cluster(const program& p, std::uint32_t a, std::uint32_t b, const clauses& rules) {
  return !rules.cluster_barriers_are_of_one_cluster || common_scope(p, a, b) <= scope::cluster;
}

bool same_cta(const program& p, std::uint32_t a, std::uint32_t b, const clauses& rules) {
  const bool one_number = p.threads[a].place.cta == p.threads[b].place.cta;
  return !rules.barriers_are_of_one_cta || (!rules.cta_is_told_by_gpu && one_number) ||
         common_scope(p, a, b) == scope::cta;
}

bool may_share(const program& p, const instruction& barrier, std::uint32_t a, std::uint32_t b,
               const clauses& rules) {
  return barrier.is_cluster_barrier() ? same_cluster(p, a, b, rules) : same_cta(p, a, b, rules);
}

/// A wait of a cluster's barrier is no arrival: its thread has arrived before.
bool is_arrival(const instruction& i) {
  return !i.is_cluster_barrier() || i.code == opcode::arrive;
}

/// The barrier events that meet with `b`, itself included.
event_set members(const execution& x, event_id b, const clauses& rules) {
  const instruction& here = x.instruction_of(b);
  event_set all = 0;
  for_each(x.present, [&](event_id other) {
    if (x.events[other].kind != event_kind::barrier) return;
    const instruction& there = x.instruction_of(other);
    if (here.is_cluster_barrier() != there.is_cluster_barrier()) return;
    if (here.instance != there.instance && rules.instances_matter) return;
    if (x.events[b].value != x.events[other].value && rules.resources_matter) return;
    if (!may_share(*x.program, here, x.events[b].thread, x.events[other].thread, rules)) return;
    all |= only(other);
  });
  return all;
}

struct barrier_expectation {
  event_set arrived = 0;  // those waited for, of them that are there
  bool complete = true;   // all are there
};

/// The barrier events that `b` waits for if it has no quorum. These belong to every barrier
/// instruction of the CTA that has, or could turn out to have, the same instance and resource.
barrier_expectation waited_for(const execution& x, event_id b, const clauses& rules) {
  barrier_expectation result;
  const instruction& here = x.instruction_of(b);
  for (std::uint32_t t = 0; t < x.program->threads.size(); ++t) {
    if (!may_share(*x.program, here, x.events[b].thread, t, rules)) continue;
    const auto& instructions = x.program->threads[t].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const instruction& there = instructions[i];
      if (!there.is_barrier() || !is_arrival(there)) continue;
      if (here.is_cluster_barrier() != there.is_cluster_barrier()) continue;
      if (there.instance != here.instance && rules.instances_matter) continue;
      const bool open = there.resource && there.resource->is_register;
      const bool same = there.resource.has_value() == x.events[b].value.has_value() &&
                        (!there.resource || there.resource->integer == *x.events[b].value);
      if (!open && !same && rules.resources_matter) continue;
      const event_set reached = x.those([&](const event& e) {
        return e.kind == event_kind::barrier && e.thread == t && e.instruction == i;
      });
      result.arrived |= reached;
      if (reached == 0) result.complete = false;
    }
  }
  return result;
}

/// Calls `use` with each subset of `set` that has `count` elements, until `use` returns false.
template <class Use>
bool for_each_subset(event_set set, value count, event_set chosen, Use& use) {
  if (count <= 0) return use(chosen);
  if (std::popcount(set) < count) return true;
  const event_set first = set & -set;
  return for_each_subset(set & ~first, count - 1, chosen | first, use) &&
         for_each_subset(set & ~first, count, chosen, use);
}

/// Waiting barriers of one group and quorum, which share their sources.
struct waiters {
  event_set all = 0;
  event_set members = 0;
  std::optional<value> quorum;
};

class synchronization {
 public:
  synchronization(const execution& x, const clauses& rules, const std::vector<waiters>& groups,
                  const std::function<bool(const relation&, const relation&)>& use)
      : x_(x),
        rules_(rules),
        groups_(groups),
        use_(use),
        program_order_(x.size()),
        waits_(x.size()),
        sync_(x.size()) {
    const event_set barriers =
        x.those([](const event& e) { return e.kind == event_kind::barrier; });
    for_each(barriers, [&](event_id a) {
      for_each(x.present, [&](event_id b) {
        const event &left = x.events[a], &right = x.events[b];
        if (left.thread == right.thread && left.index < right.index) program_order_.insert(a, b);
      });
    });
  }

  bool choose(std::size_t group) {
    if (group == groups_.size()) return !possible() || use_(sync_, waits_);
    const waiters& one = groups_[group];
    if (!one.quorum || !rules_.quorum_leaves_some_out) return from(group, one.members);
    const auto with = [&](event_set sources) { return from(group, sources); };
    const value arrived = std::popcount(one.members);  // fewer only if they are not waited for
    return for_each_subset(one.members, std::min(*one.quorum, arrived), 0, with);
  }

 private:
  bool from(std::size_t group, event_set sources) {
    const relation waits = waits_, sync = sync_;
    const waiters& one = groups_[group];
    for_each(one.all, [&](event_id target) {
      const event_set waited = one.quorum ? sources : waited_for(x_, target, rules_).arrived;
      for_each(waited & ~only(target),
               [&](event_id s) { waits_.insert(s, program_order_.of(target)); });
    });
    for_each(targets_of(one), [&](event_id target) {
      for_each(sources & ~only(target), [&](event_id s) {
        if (orders(s)) sync_.insert(s, target);
        for_each(fences_in_front(s), [&](event_id fence) {
          if (is_told(fence, target)) sync_.insert(fence, target);
        });
      });
    });
    const bool go_on = choose(group + 1);
    waits_ = waits;
    sync_ = sync;
    return go_on;
  }

  [[nodiscard]] event_set targets_of(const waiters& one) const {
    const bool of_cluster = x_.instruction_of(first_of(one.all)).is_cluster_barrier();
    const bool only_waits =
        of_cluster ? rules_.cluster_arrivals_are_no_targets : rules_.arrive_is_no_target;
    return only_waits ? one.all : one.members;
  }

  [[nodiscard]] static event_id first_of(event_set set) {
    return static_cast<event_id>(std::countr_zero(set));
  }

  /// Whether the events behind a barrier learn of the events in front of this one.
  [[nodiscard]] bool orders(event_id source) const {
    const instruction& i = x_.instruction_of(source);
    if (!is_arrival(i)) return !rules_.cluster_waits_are_no_sources;
    return i.order != memory_order::relaxed || !rules_.relaxed_arrivals_order_nothing;
  }

  /// The fences that make a relaxed arrival a release pattern.
  [[nodiscard]] event_set fences_in_front(event_id source) const {
    const instruction& i = x_.instruction_of(source);
    const bool is_relaxed = is_arrival(i) && i.order == memory_order::relaxed;
    if (!is_relaxed || !rules_.fence_then_relaxed_arrival) return 0;
    return x_.those([&](const event& e) {
      const bool in_front = e.thread == x_.events[source].thread &&
                            (e.index < x_.events[source].index || !rules_.fence_is_before_arrival);
      return in_front && is_release_fence(e, rules_);
    });
  }

  /// Whether a fence in front of a relaxed arrival orders what is behind this wait. The barrier has
  /// the scope of the cluster, so the fence's scope is what counts.
  [[nodiscard]] bool is_told(event_id fence, event_id target) const {
    return !rules_.fence_before_arrival_is_wide_enough || scope_includes(x_, fence, target, rules_);
  }

  // An arrival behind a barrier comes after all arrivals that the barrier waits for.
  [[nodiscard]] bool possible() const {
    return !rules_.waits_are_not_circular || (program_order_ | waits_).acyclic();
  }

  const execution& x_;
  const clauses& rules_;
  const std::vector<waiters>& groups_;
  const std::function<bool(const relation&, const relation&)>& use_;
  relation program_order_;  // behind barriers
  relation waits_, sync_;
};

}  // namespace

bool is_released(const execution& x, event_id barrier, const clauses& rules) {
  if (const auto quorum = x.events[barrier].quorum) {
    const value arrived = std::popcount(members(x, barrier, rules));
    if (arrived > *quorum) return rules.quorum_is_a_threshold;
    return arrived == *quorum || !rules.quorum_is_waited_for;
  }
  return !rules.participants_are_waited_for || waited_for(x, barrier, rules).complete;
}

std::optional<event_set> participants(const execution& x, event_id barrier, const clauses& rules) {
  const barrier_expectation all = waited_for(x, barrier, rules);
  return all.complete ? std::optional(all.arrived) : std::nullopt;
}

void for_each_synchronization(
    const execution& x, event_set blocked, const clauses& rules,
    const std::function<bool(const relation& sync, const relation& waits)>& use) {
  std::map<std::pair<event_set, std::optional<value>>, waiters> groups;
  bool all_released = true;
  for_each(x.present & ~blocked, [&](event_id e) {
    if (x.events[e].kind != event_kind::barrier) return;
    if (x.instruction_of(e).code == opcode::arrive) return;
    if (!is_released(x, e, rules)) all_released = false;
    const event_set all = members(x, e, rules);
    waiters& group = groups[{all, x.events[e].quorum}];
    group.all |= only(e);
    group.members = all;
    group.quorum = x.events[e].quorum;
  });
  if (!all_released) return;
  std::vector<waiters> list;
  for (const auto& [key, group] : groups) list.push_back(group);
  synchronization(x, rules, list, use).choose(0);
}

}  // namespace litmus
