// Collects the outcomes and races of a litmus test's executions, as the axioms allow them.
#include "tests/litmus/executions.hpp"

#include <stdexcept>
#include <vector>

#include "litmus/analysis.hpp"
#include "litmus/candidates.hpp"

namespace naive {
namespace {

using namespace litmus;

/// Whether barrier `b` waits for the arrival `a` without being told anything by it: the resource in
/// `a`'s register might have been `b`'s, or `a` is a relaxed arrival.
bool only_waits_for(const execution& x, event_id a, event_id b) {
  if (x.events[a].kind != event_kind::barrier || x.events[b].kind != event_kind::barrier)
    return false;
  const instruction &there = x.instruction_of(a), &here = x.instruction_of(b);
  if (here.code != opcode::barrier || here.instance != there.instance) return false;
  if (here.is_cluster_barrier() != there.is_cluster_barrier()) return false;
  if (here.is_cluster_barrier()) {
    return there.code == opcode::arrive && there.order == memory_order::relaxed &&
           common_scope(*x.program, x.events[a].thread, x.events[b].thread) <= scope::cluster;
  }
  return !here.quorum && there.resource && there.resource->is_register &&
         common_scope(*x.program, x.events[a].thread, x.events[b].thread) == scope::cta;
}

/// Whether events can be put in an order that program order, fence.sc order, barriers and `others`
/// agree with. A barrier is two events: to arrive, and to go on.
bool has_order(const execution& x, const relations& r, const completion& with,
               const relation& others) {
  const std::uint32_t n = x.size();
  // What goes on from a barrier is numbered behind the events.
  std::vector<event_id> leaving(n);
  std::uint32_t count = n;
  for (event_id e = 0; e < n; ++e) {
    leaving[e] = x.events[e].kind == event_kind::barrier ? count++ : e;
  }
  if (count > most_events) throw std::length_error("too many events");
  relation edges(count);
  for (event_id a = 0; a < n; ++a) {
    if (leaving[a] != a) edges.insert(a, leaving[a]);
    for (event_id b = 0; b < n; ++b) {
      if (r.program_order(a, b) || others(a, b) || with.sc(a, b)) edges.insert(leaving[a], b);
      if (with.barriers(a, b) || only_waits_for(x, a, b)) edges.insert(a, leaving[b]);
    }
  }
  return edges.acyclic();
}

/// Whether no exchange has to be seen before what it reads is there: its store depends on nothing.
bool exchanges_come_late(const execution& x, const relations& r) {
  relation edges = r.reads_from | r.rmw;
  for (event_id a = 0; a < x.size(); ++a) {
    for (event_id b = 0; b < x.size(); ++b) {
      if (contains(x.events[b].depends(), a)) edges.insert(a, b);
    }
  }
  return edges.acyclic();
}

clauses rules_of(const executions_options& options) {
  clauses rules;
  rules.barriers_are_causality = !options.barriers_are_votes;
  return rules;
}

bool has_race(const execution& x, const relations& r, const completion& with,
              const executions_options& options) {
  const clauses rules = rules_of(options);
  const relation cause = causality(r, base_causality(r, with, rules), rules);
  const auto stores = [&](event_id e) {
    return x.events[e].stores() || (options.conflicts_as_store && options.conflicts_as_store(x, e));
  };
  for (event_id a = 0; a < x.size(); ++a) {
    for (event_id b = 0; b < x.size(); ++b) {
      const event &one = x.events[a], &other = x.events[b];
      if (one.thread == no_thread || other.thread == no_thread || one.thread == other.thread)
        continue;
      if (!contains(x.present, a) || !contains(x.present, b)) continue;
      if (!r.same_location(a, b) || r.morally_strong(a, b)) continue;
      if ((stores(a) || stores(b)) && !instruction_before(x, cause, a, b) &&
          !instruction_before(x, cause, b, a))
        return true;
    }
  }
  return false;
}

/// Too many values where several stores of a location may be the last: there is a race.
std::vector<value> outcome_of(const unfolding& u, const completion& with,
                              const std::vector<variable>& observed) {
  const execution& x = u.so_far();
  std::vector<value> values;
  for (const variable& v : observed) {
    if (v.is_register) {
      values.push_back(u.register_value(v.thread, v.index));
      continue;
    }
    const event_set stores = x.stores();
    for_each(stores, [&](event_id e) {
      if (x.events[e].location == v.index && (with.coherence.of(e) & stores) == 0) {
        values.push_back(x.events[e].value.value_or(0));
      }
    });
  }
  return values;
}

}  // namespace

executions_result executions_of(const program& p, const std::vector<variable>& observed,
                                const executions_options& options) {
  executions_result result;
  const analysis known = analyse(p);
  const bool with_stuck = false;
  for (const bool spare_round : {false, true}) {
    if (spare_round && !known.loops_may_race) break;
    candidate_options how;
    how.spare_round = spare_round;
    for_each_candidate(p, known, how, with_stuck, [&](const unfolding& u) {
      if (options.counts && !options.counts(u)) return true;
      const execution& x = u.so_far();
      const clauses rules = rules_of(options);
      const relations r = derive(x, rules);
      for_each_allowed(x, 0, memory_model::ptx, rules, [&](const completion& with) {
        if (options.barriers_are_votes && !has_order(x, r, with, r.sync)) return true;
        const bool race = has_race(x, r, with, options);
        const std::vector<value> values = outcome_of(u, with, observed);
        const auto add = [&](executions_answer& to) {
          to.race = to.race || race;
          if (values.size() == observed.size()) to.outcomes.insert(values);
        };
        add(result.all);
        if (has_order(x, r, with, r.sync) && exchanges_come_late(x, r)) add(result.operational);
        if (has_order(x, r, with, r.reads_from)) add(result.in_order);
        return true;
      });
      return true;
    });
  }
  return result;
}

}  // namespace naive
