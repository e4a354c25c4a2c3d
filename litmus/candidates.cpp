// Explores the choices that lead from a program to its executions: sources of loads, and barriers.
#include "litmus/candidates.hpp"

#include <set>

namespace litmus {

namespace {

/// Integers that a program and its condition mention: candidates for values out of thin air.
std::set<value> mentioned(const program& p) {
  std::set<value> all(p.initial.begin(), p.initial.end());
  for (const thread& t : p.threads) {
    all.insert(t.initial.begin(), t.initial.end());
    for (const instruction& one : t.instructions) {
      for (const operand& o : {one.a, one.b}) {
        if (!o.is_register) all.insert(o.integer);
      }
    }
  }
  const std::function<void(const formula&)> look = [&](const formula& f) {
    for (const condition_operand& o : {f.left, f.right}) {
      if (!o.is_variable) all.insert(o.integer);
    }
    for (const formula& child : f.children) look(child);
  };
  look(p.final.formula);
  return all;
}

class enumeration {
 public:
  enumeration(const program& p, const candidate_options& options, const bool& with_stuck,
              const std::function<bool(const unfolding&)>& use)
      : program_(p), options_(options), with_stuck_(with_stuck), use_(use) {
    const clauses& rules = options.rules;
    has_thin_air_ =
        !rules.no_thin_air || !rules.no_thin_air_over_data || !rules.no_thin_air_over_control;
    thin_air_is_partial_ = has_thin_air_ && rules.no_thin_air;
  }

  coverage result;

  void explore(unfolding x) {
    if (result.stopped || !goes_on(x, x.advance(options_.rounds))) return;
    if (options_.stop && options_.stop()) result.stopped = true;
    if (result.stopped) return;
    if (++result.steps > options_.most_steps) {
      result.all = false;
      result.stopped = true;
      return;
    }
    if (const auto thread = x.undecided()) {
      if (with_stuck_) {
        unfolding stays = x;
        stays.block(*thread);
        explore(std::move(stays));
      }
      if (goes_on(x, x.pass(*thread, options_.rounds))) explore(std::move(x));
      return;
    }
    if (x.is_stuck() && !with_stuck_) return;
    const event_id load = x.open_load();
    if (load != no_event) {
      choose_source(std::move(x), load);
    } else if (const event_id unread = x.unread_load(); unread != no_event) {
      if (has_thin_air_) guess(x, unread);
    } else if (const event_id unjustified = x.unjustified(); unjustified != no_event) {
      justify(x, unjustified);
    } else if (x.is_over()) {
      if (thin_air_is_partial_ && !has_no_thin_air(x.so_far(), options_.rules)) return;
      if (!use_(x)) result.stopped = true;
    }
  }

 private:
  const program& program_;
  const candidate_options& options_;
  const bool& with_stuck_;
  const std::function<bool(const unfolding&)>& use_;
  bool has_thin_air_ = false;         // No-thin-air, or a part of it, is dropped
  bool thin_air_is_partial_ = false;  // not all of it

  bool goes_on(const unfolding& x, bool it_does) {
    if (x.may_miss_spinning()) result.spinning_missed = true;
    if (x.was_cut()) {
      result.all = false;
      result.loops_cut = true;
    }
    return it_does;
  }

  [[nodiscard]] bool possible(const unfolding& x) const {
    return may_be_allowed(x.so_far(), options_.model, options_.rules);
  }

  void choose_source(unfolding x, event_id load) {
    for_each(x.sources(load), [&](event_id store) {
      unfolding next = x;
      if (next.read(load, store) && possible(next)) explore(std::move(next));
    });
    if (!x.more_sources(load)) return;
    x.postpone(load);
    explore(std::move(x));
  }

  // Only loads that wait for each other are left, so one of them reads a guessed value.
  void guess(const unfolding& x, event_id load) {
    for (const value v : mentioned(program_)) {
      unfolding next = x;
      if (next.guess(load, v)) explore(std::move(next));
    }
  }

  void justify(const unfolding& x, event_id load) {
    for_each(x.sources(load), [&](event_id store) {
      if (x.so_far().events[store].value != x.so_far().events[load].value) return;
      unfolding next = x;
      next.justify(load, store);
      if (possible(next)) explore(std::move(next));
    });
  }
};

}  // namespace

coverage for_each_candidate(const program& p, const analysis& known,
                            const candidate_options& options, const bool& with_stuck,
                            const std::function<bool(const unfolding&)>& use) {
  enumeration all(p, options, with_stuck, use);
  all.explore(unfolding(p, known, options.rules, options.spare_round));
  // `stop` may have left out completions of the last execution, too.
  if (options.stop && options.stop()) {
    all.result.all = false;
    all.result.out_of_time = true;
  }
  return all.result;
}

}  // namespace litmus
