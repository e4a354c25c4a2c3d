// Looks for executions with an axiom dropped, and words what the axiom forbids in them.
#include "litmus/report/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "litmus/mbarrier.hpp"
#include "litmus/read/path.hpp"

namespace litmus {

namespace {

/// Both halves of a read-modify-write share a line, that of the load.
bool is_second_half(const execution& x, event_id e) {
  const event& one = x.events[e];
  return one.kind == event_kind::store && one.partner != no_event;
}

std::vector<event_id> in_program_order(const execution& x, std::uint32_t thread) {
  std::vector<event_id> all(most_events, no_event);
  for_each(x.present, [&](event_id e) {
    if (x.events[e].thread == thread) all[x.events[e].index] = e;
  });
  std::erase(all, no_event);
  return all;
}

/// A value as it is read or stored.
std::string value_at(const execution& x, event_id e) {
  const event& one = x.events[e];
  const value v = one.value.value_or(0);
  const auto expected = x.program->mbarriers.find(one.location);
  if (expected == x.program->mbarriers.end()) return std::to_string(v);
  const mbarrier_state s = unpacked(v);
  std::string text =
      fmt::format("phase {} with {} of {} arrived", s.phase, s.arrived, expected->second);
  if (s.bytes != 0) text += fmt::format(" and {} bytes to come", s.bytes);
  return text;
}

std::string line_of(const execution& x, event_id e) {
  const event& one = x.events[e];
  std::string text = described(x, e);
  if (one.kind == event_kind::load && x.source[e] != no_event) {
    text += fmt::format("   reads {} from {}", value_at(x, e), described(x, x.source[e]));
    if (one.partner != no_event && contains(x.present, one.partner)) {
      text += fmt::format(", stores {}", value_at(x, one.partner));
    }
  }
  return text;
}

std::string render(const execution& x, const edge& one) {
  return fmt::format("{} → {}: {}", described(x, one.from), described(x, one.to), one.label);
}

void add(sentences& to, const execution& x, const std::vector<edge>& path) {
  for (const edge& one : path) to.push_back("  " + render(x, one));
}

/// The pairs of an order that get a line: neighbours, without initial stores.
void add_order(sentences& to, const execution& x, const relation& order, std::string_view label) {
  const relation longer = order * order;
  for (event_id a = 0; a < x.size(); ++a) {
    if (x.events[a].kind == event_kind::initial) continue;
    for_each(order.of(a) & ~longer.of(a), [&](event_id b) {
      to.push_back(fmt::format("{}: {}, then {}", label, described(x, a), described(x, b)));
    });
  }
}

struct suspect {
  axiom which;
  clauses without;
};

/// Each axiom, with the clauses of the model without that axiom.
std::vector<suspect> suspects() {
  std::vector<suspect> all;
  const auto add = [&](axiom a, const auto& drop) {
    clauses rules;
    drop(rules);
    all.push_back({a, rules});
  };
  add(axiom::causality,
      [](clauses& c) { c.causality_and_from_reads = c.causality_and_reads_from = false; });
  add(axiom::atomicity, [](clauses& c) { c.atomicity = false; });
  add(axiom::sc_per_location, [](clauses& c) { c.sc_per_location = false; });
  add(axiom::coherence, [](clauses& c) {
    c.coherence_follows_causality = c.morally_strong_stores_are_ordered = false;
  });
  add(axiom::no_thin_air, [](clauses& c) { c.no_thin_air = false; });
  add(axiom::fence_sc, [](clauses& c) { c.fence_sc_follows_causality = false; });
  return all;
}

void why_causality(sentences& to, const execution& x, const relations& r, const completion& with) {
  const relation cause = causality(r, base_causality(r, with, {}), {});
  const relation fr = from_reads(r, with.coherence);
  for (event_id a = 0; a < x.size(); ++a) {
    for (const auto& [pairs, says] :
         {std::pair{r.reads_from, "{} is read by {}, which comes before it in causality order:"},
          std::pair{fr,
                    "{} reads from a store that {} overwrites, although that comes before it in "
                    "causality order:"}}) {
      event_id found = no_event;
      for_each(pairs.of(a), [&](event_id b) {
        if (cause(b, a) && found == no_event) found = b;
      });
      if (found == no_event) continue;
      to.push_back(fmt::format(fmt::runtime(says), described(x, a), described(x, found)));
      add(to, x, causality_path(r, with, found, a));
      return;
    }
  }
}

void why_coherence(sentences& to, const execution& x, const relations& r, const completion& with) {
  const relation cause = causality(r, base_causality(r, with, {}), {});
  const event_set stores = x.stores();
  for (event_id a = 0; a < x.size(); ++a) {
    if (!contains(stores, a)) continue;
    event_id found = no_event;
    for_each(r.same_location.or_same().of(a) & stores & cause.of(a) & ~with.coherence.of(a),
             [&](event_id b) { found = b; });
    if (found == a) {
      to.push_back(fmt::format("{} comes before itself in causality order:", described(x, a)));
      add(to, x, causality_path(r, with, a, a));
      return;
    }
    if (found != no_event) {
      to.push_back(fmt::format("{} comes before {} in causality order, but not in coherence:",
                               described(x, a), described(x, found)));
      add(to, x, causality_path(r, with, a, found));
      return;
    }
  }
  for (event_id a = 0; a < x.size(); ++a) {
    if (!contains(stores, a)) continue;
    event_id found = no_event;
    for_each(r.same_location.of(a) & stores & r.morally_strong.of(a) & ~with.coherence.of(a),
             [&](event_id b) {
               if (!with.coherence(b, a)) found = b;
             });
    if (found == no_event) continue;
    to.push_back(fmt::format("{} and {} are morally strong, but coherence does not order them",
                             described(x, a), described(x, found)));
    return;
  }
}

void why_atomicity(sentences& to, const execution& x, const relations& r, const completion& with,
                   bool only_morally_strong) {
  const auto counts = [&](event_id a, event_id b) {
    return !only_morally_strong || r.morally_strong(a, b);
  };
  const relation fr = from_reads(r, with.coherence);
  for (event_id load = 0; load < x.size(); ++load) {
    for_each(r.rmw.of(load), [&](event_id store) {
      for_each(fr.of(load), [&](event_id between) {
        if (!counts(load, between) || !counts(between, store)) return;
        if (!with.coherence(between, store)) return;
        to.push_back(fmt::format("{} comes between what {} reads and what it stores",
                                 described(x, between), described(x, load)));
      });
    });
  }
}

void why_sc_per_location(sentences& to, const execution& x, const relations& r,
                         const completion& with) {
  to.push_back("at one location, these would go round in a circle:");
  add(to, x,
      shortest_cycle(
          {{"program order, same location", r.program_order_overlap},
           {"is read by", r.reads_from & r.morally_strong},
           {"comes before, in coherence", with.coherence & r.morally_strong},
           {"reads from a store before it", from_reads(r, with.coherence) & r.morally_strong}}));
}

void why_thin_air(sentences& to, const execution& x, const relations& r) {
  relation needed(x.size());
  for_each(x.present, [&](event_id e) {
    for_each(x.events[e].depends() & x.present, [&](event_id load) { needed.insert(load, e); });
  });
  to.push_back("the values would depend on themselves:");
  add(to, x, shortest_cycle({{"is read by", r.reads_from}, {"depends on it", needed}}));
}

void why_fence_sc(sentences& to, const execution& x, const relations& r, const completion& with) {
  const relation cause = causality(r, base_causality(r, with, {}), {});
  for (event_id a = 0; a < x.size(); ++a) {
    for_each(with.sc.of(a), [&](event_id b) {
      if (!cause(b, a)) return;
      to.push_back(
          fmt::format("{} comes before {} in the order of fence.sc, but behind it in "
                      "causality order",
                      described(x, a), described(x, b)));
    });
  }
}

sentences violation(axiom which, const witness& w) {
  const relations r = derive(w.x, {});
  sentences all;
  switch (which) {
    case axiom::causality: why_causality(all, w.x, r, w.with); break;
    case axiom::coherence: why_coherence(all, w.x, r, w.with); break;
    case axiom::atomicity: why_atomicity(all, w.x, r, w.with, true); break;
    case axiom::sc_per_location: why_sc_per_location(all, w.x, r, w.with); break;
    case axiom::no_thin_air: why_thin_air(all, w.x, r); break;
    case axiom::fence_sc: why_fence_sc(all, w.x, r, w.with); break;
  }
  return all;
}

void append(sentences& to, const sentences& more, std::string_view indent) {
  for (const std::string& line : more) to.push_back(std::string(indent) + line);
}

/// Adds the circle because of which no order of all instructions explains the execution.
void why_not_sequential(sentences& to, const witness& w) {
  const relations r = derive(w.x, {});
  const auto cycle =
      shortest_cycle({{"program order", r.program_order},
                      {"is read by", r.reads_from},
                      {"comes before, in coherence", w.with.coherence},
                      {"reads from a store before it", from_reads(r, w.with.coherence)},
                      {"is waited for by a barrier in front of", w.with.waits}});
  if (cycle.empty()) return;
  to.emplace_back("one after the other, these would go round in a circle:");
  add(to, w.x, cycle);
}

/// Under sequential consistency, all instructions have one order, and nothing comes between the two
/// halves of a read-modify-write.
sentences why_sc_forbids(const program& p, const candidate_options& options, bool formula_is,
                         bool& all_seen) {
  struct suspicion {
    std::string_view says;
    bool order, thin_air, atomicity;  // what is dropped
  };
  constexpr std::string_view order = "Sequential order forbids it. Without that axiom";
  constexpr std::array<suspicion, 4> suspicions{{
      {order, true, false, false},
      {order, true, true, false},  // values that depend on themselves have no order either
      {"Atomicity forbids it. Without that axiom", false, false, true},
      {"the axioms forbid it. Without any", true, true, true},
  }};
  for (const suspicion& one : suspicions) {
    candidate_options relaxed = options;
    relaxed.rules.one_after_the_other = !one.order;
    relaxed.rules.no_thin_air = !one.thin_air;
    relaxed.rules.atomicity = !one.atomicity;
    const auto found = find_execution(p, relaxed, formula_is, all_seen);
    if (!found) continue;
    sentences all{fmt::format("{} there would be this execution:", one.says)};
    append(all, describe(*found), "  ");
    if (one.order) why_not_sequential(all, *found);
    if (one.atomicity) {
      const bool only_morally_strong = false;
      why_atomicity(all, found->x, derive(found->x, {}), found->with, only_morally_strong);
    }
    candidate_options ptx = options;
    ptx.model = memory_model::ptx;
    bool all_of_ptx = true;
    if (find_execution(p, ptx, formula_is, all_of_ptx)) {
      all.emplace_back("the PTX model allows it");
    } else if (all_of_ptx) {
      all.emplace_back("the PTX model forbids it too; --model ptx tells why");
    }
    return all;
  }
  return {};
}

}  // namespace

std::string described(const execution& x, event_id e) {
  const event& one = x.events[e];
  if (one.kind == event_kind::initial) {
    return fmt::format("the initial {} = {}", x.program->locations[one.location], value_at(x, e));
  }
  return fmt::format("{}: {}", name_of_thread(*x.program, one.thread), x.instruction_of(e).text);
}

sentences describe(const witness& w) {
  sentences all;
  for (std::uint32_t t = 0; t < w.x.program->threads.size(); ++t) {
    for (const event_id e : in_program_order(w.x, t)) {
      if (!is_second_half(w.x, e)) all.push_back(line_of(w.x, e));
    }
  }
  add_order(all, w.x, w.with.coherence, "coherence");
  add_order(all, w.x, w.with.sc, "fence.sc order");
  return all;
}

sentences why_forbidden(const program& p, const candidate_options& options, bool formula_is) {
  candidate_options relaxed = options;
  relaxed.most_steps = 50'000;  // for each axiom
  bool all_seen = true;
  const auto nothing = [&]() -> sentences {
    if (!all_seen) return {"without the axioms there are too many executions to find out why"};
    return {"no axiom is needed to forbid it: the instructions cannot give these values"};
  };
  if (options.model == memory_model::sc) {
    const sentences why = why_sc_forbids(p, relaxed, formula_is, all_seen);
    return why.empty() ? nothing() : why;
  }
  for (const suspect& one : suspects()) {
    relaxed.rules = one.without;
    const auto found = find_execution(p, relaxed, formula_is, all_seen);
    if (!found) continue;
    sentences all{fmt::format("{} forbids it. Without that axiom there would be this execution:",
                              name(one.which))};
    append(all, describe(*found), "  ");
    append(all, violation(one.which, *found), "");
    return all;
  }
  relaxed.rules = {};
  relaxed.rules.causality_and_from_reads = relaxed.rules.causality_and_reads_from = false;
  relaxed.rules.coherence_follows_causality = false;
  relaxed.rules.morally_strong_stores_are_ordered = false;
  relaxed.rules.fence_sc_follows_causality = relaxed.rules.sc_per_location = false;
  relaxed.rules.atomicity = relaxed.rules.no_thin_air = false;
  if (const auto found = find_execution(p, relaxed, formula_is, all_seen)) {
    sentences all{
        fmt::format("{} Without any there would be this execution:",
                    all_seen ? "more than one axiom forbids it." : "the axioms forbid it.")};
    append(all, describe(*found), "  ");
    if (const auto first = violated(found->x, found->with)) {
      all.push_back(fmt::format("{} is one that it violates:", name(*first)));
      append(all, violation(*first, *found), "");
    }
    return all;
  }
  return nothing();
}

sentences why_endless(const witness& w) {
  sentences all;
  for (std::uint32_t t = 0; t < w.status.size(); ++t) {
    const auto events = in_program_order(w.x, t);
    if (w.status[t] == thread_status::blocked) {
      all.push_back(fmt::format("{} waits for ever", described(w.x, events.back())));
    }
    if (w.status[t] != thread_status::spinning) continue;
    if (events.empty() || w.x.events[events.back()].kind != event_kind::load) {
      all.push_back(fmt::format("{} goes round a loop for ever", name_of_thread(*w.x.program, t)));
      continue;
    }
    const event_id last = events.back();
    all.push_back(fmt::format("{} reads {} for ever, from {}", described(w.x, last),
                              value_at(w.x, last), described(w.x, w.x.source[last])));
  }
  return all;
}

sentences what_proxies_lack(const witness& w) {
  const relations r = derive(w.x, {});
  if (!r.proxies.matter) return {};
  const relation plain = base_causality(r, w.with, {});
  const relation base = reaching(r, plain, {});
  const relation order = base | r.program_order;
  const relation cause = causality(r, plain, {});
  const relation fr = from_reads(r, w.with.coherence);
  const event_set stores = w.x.stores();
  sentences all;
  for (event_id a = 0; a < w.x.size(); ++a) {
    for_each(order.of(a) & r.same_location.of(a) & ~cause.of(a), [&](event_id b) {
      const bool both_store = contains(stores, a) && contains(stores, b);
      if (r.program_order_overlap(a, b)) return;
      if (!fr(b, a) && !r.reads_from(b, a) && (!both_store || w.with.coherence(a, b))) return;
      const auto fences = missing_fences(w.x, r.proxies, base, r.program_order, a, b);
      all.push_back(
          fmt::format("{} comes before {} in base causality order, but that does not "
                      "count without {}",
                      described(w.x, a), described(w.x, b), fmt::join(fences, " and ")));
    });
  }
  return all;
}

namespace {

/// The proxy fences that two accesses of one location need between them.
std::vector<std::string> fences_between(const program& p, const race& one) {
  const instruction& a = p.threads[one.thread].instructions[one.instruction];
  const instruction& b = p.threads[one.other_thread].instructions[one.other_instruction];
  const bool one_cta = common_scope(p, one.thread, one.other_thread) == scope::cta;
  const bool one_address = a.address == b.address;
  std::vector<std::string> all;
  if (a.proxy == b.proxy && one_address && (a.proxy == proxy::generic || one_cta)) return all;
  const auto own = [&](const instruction& i, std::uint32_t thread) {
    const std::string fence = fmt::format("fence.proxy.{}", name(i.proxy));
    return one_cta ? fence : fmt::format("{} in the CTA of {}", fence, name_of_thread(p, thread));
  };
  if (a.proxy != proxy::generic) all.push_back(own(a, one.thread));
  if (!one_address) all.emplace_back("fence.proxy.alias");
  if (b.proxy != proxy::generic) all.push_back(own(b, one.other_thread));
  return all;
}

}  // namespace

std::string remedy(const program& p, const race& one) {
  const instruction& a = p.threads[one.thread].instructions[one.instruction];
  const instruction& b = p.threads[one.other_thread].instructions[one.other_instruction];
  const scope needed = common_scope(p, one.thread, one.other_thread);
  if (const auto fences = fences_between(p, one); !fences.empty()) {
    if (p.threads[one.thread].issuer || p.threads[one.other_thread].issuer) {
      return fmt::format("put {} between them; what comes behind the copy waits for its mbarrier",
                         fmt::join(fences, " and "));
    }
    return one.thread == one.other_thread
               ? fmt::format("put {} between them", fmt::join(fences, ", then "))
               : fmt::format("order them by release and acquire, with {} between them",
                             fmt::join(fences, " and "));
  }
  if (a.proxy != proxy::generic) return "order them by release and acquire";
  const bool narrow = (a.order != memory_order::weak && a.scope < needed) ||
                      (b.order != memory_order::weak && b.scope < needed);
  return narrow ? fmt::format("they need scope {} or wider, or an order between them", name(needed))
                : fmt::format("order them by release and acquire, or make both relaxed.{}",
                              name(needed));
}

std::string describe(const program& p, const race& one) {
  const instruction& a = p.threads[one.thread].instructions[one.instruction];
  const instruction& b = p.threads[one.other_thread].instructions[one.other_instruction];
  return fmt::format("{} line {} ({}) and {} line {} ({}): {}", name_of_thread(p, one.thread),
                     a.line, a.text, name_of_thread(p, one.other_thread), b.line, b.text,
                     remedy(p, one));
}

}  // namespace litmus
