// Collects outcomes, races and witnesses over all executions that the axioms allow.
#include "litmus/answer.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "litmus/barriers.hpp"

namespace litmus {

namespace {

/// By location: the values of its coherence-maximal stores.
std::vector<std::vector<value>> final_memory(const execution& x, const relation& coherence) {
  std::vector<std::set<value>> values(x.program->locations.size());
  const event_set stores = x.stores();
  for_each(stores, [&](event_id e) {
    if ((coherence.of(e) & stores) == 0) {
      values[x.events[e].location].insert(x.events[e].value.value_or(0));
    }
  });
  std::vector<std::vector<value>> result;
  for (const auto& set : values) result.emplace_back(set.begin(), set.end());
  return result;
}

class evaluation {
 public:
  evaluation(const program& p, const candidate_options& options)
      : program_(p), options_(options), known_(analyse(p)) {
    result_.observed = known_.observed;
  }

  std::optional<witness> find(bool formula_is, bool& all) {
    const bool with_stuck = false;
    std::optional<witness>& found = formula_is ? result_.satisfying : result_.contradicting;
    const coverage covered =
        for_each_candidate(program_, known_, options_, with_stuck, [&](const unfolding& x) {
          add_complete(x);
          return !found;
        });
    if (!found && !covered.all) all = false;
    return std::move(found);
  }

  answer run() {
    bool with_stuck = true;
    result_.covered =
        for_each_candidate(program_, known_, options_, with_stuck, [&](const unfolding& x) {
          if (!x.is_stuck()) {
            add_complete(x);
          } else if (never_ends(x)) {
            with_stuck = !options_.rules.executions_are_complete;  // one is enough
            if (with_stuck) add_complete(x);
          }
          return true;
        });
    if (known_.loops_may_race && options_.model == memory_model::ptx) look_for_races_in_rounds();
    conclude();
    return std::move(result_);
  }

 private:
  const program& program_;
  const candidate_options& options_;
  analysis known_;
  answer result_;
  std::map<std::vector<value>, outcome> outcomes_;
  std::set<race> races_;

  [[nodiscard]] witness shown(const unfolding& u, const completion& with,
                              std::vector<value> memory) const {
    witness w{u.so_far(), with, {}, std::move(memory), {}};
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      w.registers.emplace_back();
      for (std::uint32_t r = 0; r < program_.threads[t].registers.size(); ++r) {
        w.registers.back().push_back(u.register_value(t, r));
      }
      w.status.push_back(u.status(t));
    }
    return w;
  }

  // The execution is complete, except in tests that drop the clause executions_are_complete.
  void add_complete(const unfolding& u) {
    const execution& x = u.so_far();
    std::optional<relations> derived;
    for_each_allowed(
        x, u.blocked(), options_.model, options_.rules,
        [&](const completion& with) {
          ++result_.executions;
          if (u.is_undefined()) result_.undefined = true;
          add_outcomes(u, with);
          if (options_.model == memory_model::ptx) {
            if (!derived) derived = derive(x, options_.rules);
            add_races(x, *derived, with);
          }
          return true;
        },
        options_.stop);
  }

  /// A race may lie in a round of a spin loop that complete executions leave out. One spare round
  /// A race may lie in a round of a spin loop that complete executions leave out. One spare round
  /// is enough: a race that shows with several rounds also shows with one, as causality is only
  /// less.
  void look_for_races_in_rounds() {
    candidate_options with_rounds = options_;
    with_rounds.spare_round = true;
    const bool with_stuck = false;
    const coverage covered =
        for_each_candidate(program_, known_, with_rounds, with_stuck, [&](const unfolding& u) {
          const relations r = derive(u.so_far(), options_.rules);
          for_each_allowed(
              u.so_far(), 0, options_.model, options_.rules,
              [&](const completion& with) {
                add_races(u.so_far(), r, with);
                return true;
              },
              options_.stop);
          return true;
        });
    result_.races_covered = covered.all;
    result_.covered.out_of_time = result_.covered.out_of_time || covered.out_of_time;
  }

  /// Adds all outcomes of one execution. Where several stores of a location are maximal, the value
  /// of each is possible.
  void add_outcomes(const unfolding& u, const completion& with) {
    const auto possible = final_memory(u.so_far(), with.coherence);
    std::vector<value> memory;
    for (const auto& values : possible) memory.push_back(values.empty() ? 0 : values.front());
    std::set<std::vector<value>> seen;
    choose(u, with, possible, memory, 0, seen);
  }

  void choose(const unfolding& u, const completion& with,
              const std::vector<std::vector<value>>& possible, std::vector<value>& memory,
              std::size_t location, std::set<std::vector<value>>& seen) {
    if (location < possible.size()) {
      const bool matters =
          std::ranges::find(known_.observed,
                            variable{false, 0, static_cast<std::uint32_t>(location)}) !=
          known_.observed.end();
      for (const value v : possible[location]) {
        memory[location] = v;
        choose(u, with, possible, memory, location + 1, seen);
        if (!matters) break;
      }
      return;
    }
    const auto value_of = [&](const variable& v) {
      return v.is_register ? u.register_value(v.thread, v.index) : memory[v.index];
    };
    std::vector<value> values;
    for (const variable& v : known_.observed) values.push_back(value_of(v));
    if (!seen.insert(values).second) return;
    outcome& one = outcomes_[values];
    if (one.executions++ == 0) {
      one.values = values;
      one.satisfies = program_.final.formula.holds(value_of);
    }
    std::optional<witness>& example = one.satisfies ? result_.satisfying : result_.contradicting;
    if (!example) example = shown(u, with, memory);
  }

  void add_races(const execution& x, const relations& r, const completion& with) {
    const clauses& rules = options_.rules;
    const relation cause = causality(r, base_causality(r, with, rules), rules);
    const auto before = [&](event_id a, event_id b) {
      return rules.races_are_of_instructions ? instruction_before(x, cause, a, b) : cause(a, b);
    };
    for_each(x.present, [&](event_id a) {
      const event& one = x.events[a];
      if (!one.accesses() || one.thread == no_thread) return;
      for_each(r.same_location.of(a), [&](event_id b) {
        const event& other = x.events[b];
        if (one.thread > other.thread || other.thread == no_thread) return;
        // Two accesses of one thread race only if their proxies or addresses differ.
        if (one.thread == other.thread && (a > b || r.program_order_overlap(a, b))) return;
        if (rules.races_are_conflicts && !one.stores() && !other.stores()) return;
        if (rules.races_are_not_morally_strong && r.morally_strong(a, b)) return;
        if (rules.races_are_not_ordered && (before(a, b) || before(b, a))) return;
        races_.insert({one.thread, other.thread, one.instruction, other.instruction, one.location});
      });
    });
  }

  /// Whether the execution can go on for ever as it is: no waiting thread is released later.
  bool never_ends(const unfolding& u) {
    const execution& x = u.so_far();
    bool released = false;
    for_each(u.blocked(), [&](event_id b) {
      if (is_released(x, b, options_.rules)) released = true;
    });
    if (released) return false;
    bool found = false;
    for_each_allowed(
        x, u.blocked(), options_.model, options_.rules,
        [&](const completion& with) {
          bool fair = true;
          for_each(u.spinning(), [&](event_id load) {
            if (with.coherence.of(x.source[load]) != 0) fair = false;
          });
          if (!fair && options_.rules.memory_is_fair) return true;
          found = true;
          std::vector<value> memory;
          for (const auto& values : final_memory(x, with.coherence)) {
            memory.push_back(values.empty() ? 0 : values.front());
          }
          if (!result_.endless) result_.endless = shown(u, with, std::move(memory));
          return false;
        },
        options_.stop);
    return found;
  }

  void conclude() {
    for (auto& [values, one] : outcomes_) result_.outcomes.push_back(std::move(one));
    result_.races_covered = result_.races_covered && result_.covered.all;
    result_.races.assign(races_.begin(), races_.end());
    const bool all = result_.covered.all && !result_.undefined;
    switch (program_.final.quantifier) {
      case quantifier::exists:
        if (result_.satisfying)
          result_.holds = true;
        else if (all)
          result_.holds = false;
        break;
      case quantifier::not_exists:
        if (result_.satisfying)
          result_.holds = false;
        else if (all)
          result_.holds = true;
        break;
      case quantifier::forall:
        if (result_.contradicting)
          result_.holds = false;
        else if (all)
          result_.holds = true;
        break;
    }
    if (result_.undefined) result_.holds.reset();
    if (result_.endless)
      result_.terminates = false;
    else if (result_.covered.all && !result_.covered.spinning_missed)
      result_.terminates = true;
  }
};

}  // namespace

answer evaluate(const program& p, const candidate_options& options) {
  return evaluation(p, options).run();
}

std::optional<witness> find_execution(const program& p, const candidate_options& options,
                                      bool formula_is, bool& all) {
  return evaluation(p, options).find(formula_is, all);
}

}  // namespace litmus
