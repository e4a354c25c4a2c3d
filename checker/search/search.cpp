// Makes runs by seeds until a limit is reached, judges how each ends, and shortens the first of
// each kind.
#include "checker/search/search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "checker/axioms/recorded_events.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/explore/lasso.hpp"
#include "checker/run/ending.hpp"
#include "checker/run/object.hpp"
#include "checker/run/place.hpp"
#include "checker/search/engines.hpp"
#include "checker/search/schedule.hpp"
#include "checker/search/shorten.hpp"

namespace warpcheck {
namespace {

using clock = std::chrono::steady_clock;

// Runs by which PCT estimates the length of a run.
constexpr std::uint64_t trial_runs = 16;
// How many deadlocks get a look for a SIMT deadlock on the way to them.
constexpr std::uint32_t most_looks_back = 64;
// Seconds that a search takes if neither runs nor a time are asked for.
constexpr double default_seconds = 10;
// Under weak memory, so many walks must show nothing new before a search begins. A walk takes so
// many steps for each lane, or as many as so much work allows (about half a second), but a least
// number.
constexpr std::uint32_t quiet_walks = 4;
constexpr std::uint64_t steps_of_walk = 32;
constexpr std::uint64_t shortest_walk = 32;
constexpr std::uint64_t work_of_walk = 5'000'000;

/// `Engine` is ordered_engine or weak_engine.
template <class Engine>
class searcher {
 public:
  searcher(session& run, const limits& bounds, const search_options& options)
      : run_(run), bounds_(bounds), options_(options), engine_(run, bounds_) {
    seen_.kind = options.kind;
    seen_.seed = options.seed;
    seen_.step_limit =
        options.steps ? *options.steps
                      : default_steps(run.subject(), options.kind, run.settings().machine.memory);
    seen_.without_promises =
        Engine::is_weak && !run.setup().model.promises && run.facts().now().unsynchronized;
    const std::uint64_t lanes = run.machine().places().lanes.size();
    patience_ = 256 + 32 * lanes;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (walk().at(lane) != simt::exited) ++seen_.lanes;
    }
    if (run.object().monitor == nullptr) {
      wanted_ = static_cast<verdict_set>(wanted_ & ~of_histories);
    }
  }

  void all() {
    if (options_.kind == search_kind::pct) estimate_length();
    const std::uint64_t most = options_.runs.value_or(~std::uint64_t{0});
    while (seen_.runs < most && stopped_.empty()) {
      const std::uint64_t seed = options_.seed + seen_.runs * options_.every;
      const auto seen = one(plan_of(seed), seed, nullptr);
      if (!seen) break;
      take_in(*seen, seed);
      if (has_news()) return;
      engine_.tidy();
      if (wanted_ == 0)
        stopped_ = {stop_reason::all_found,
                    "every kind of violation that is looked for has been found"};
      look_at_clock();
    }
    settle_bound();
  }

  [[nodiscard]] const search_coverage& coverage() const { return seen_; }
  [[nodiscard]] std::vector<violation> violations() const {
    std::vector<violation> all;
    for (const auto& [kind, v] : found_) all.push_back(v);
    return all;
  }
  /// Whether something was learnt of the program. Then what was found is void.
  [[nodiscard]] bool has_news() { return engine_.machine().has_news(); }
  [[nodiscard]] simt::machine& machine() { return engine_.machine(); }
  /// Returns why the search ended; empty: all runs were made.
  [[nodiscard]] const stop_cause& stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t bytes() const { return engine_.bytes(); }

 private:
  static constexpr std::uint32_t nobody = schedule<typename Engine::walker>::nobody;

  /// The way in which a run ended.
  struct outcome {
    // no_execution: the run cannot go on, and some lane has not kept a promise.
    enum class kind : std::uint8_t { complete, ended, deadlock, cut_off, no_execution };
    kind how{};
    simt::ending ends = simt::ending::none;
  };

  session& run_;
  limits bounds_;
  const search_options& options_;
  Engine engine_;
  schedule<typename Engine::walker> order_;
  search_coverage seen_;
  std::uint64_t patience_ = 0;  // steps without news after which a deadlock is suspected
  std::map<verdict, violation> found_;
  verdict_set wanted_ =
      searched_by(static_cast<verdict_set>(run_.settings().check & ~bit(verdict::livelock)));
  stop_cause stopped_;
  std::uint64_t since_clock_ = 0;
  std::uint32_t looks_back_ = 0;
  overtime more_{bounds_};
  bool repeating_ = false;                 // a run is made again, so limits do not end it
  std::vector<std::uint8_t> good_memory_;  // the last memory that passed the final check

  // Members about the present run.
  std::uint64_t next_look_ = 0;
  std::uint64_t next_proof_ = 0;
  std::uint64_t next_stall_ = 0;  // before that step, no proof when all ready lanes only spin
  std::uint64_t quiet_ = 0;       // steps without news that lead to a proof
  verdict_set broken_ = 0;        // the kinds of consistency that its history lacks

  typename Engine::walker& walk() { return engine_.walk(); }
  typename Engine::dead_states& dead() { return engine_.dead(); }
  [[nodiscard]] bool wants(verdict kind) const { return (wanted_ & bit(kind)) != 0; }

  static run_plan by_priority(std::uint32_t depth, std::uint64_t length) {
    run_plan plan;
    plan.how = bias::priorities;
    plan.depth = depth;
    plan.length = length;
    return plan;
  }

  // Half of the runs promise nothing. They are faster, and have no promise that cannot be kept. The
  // more promises a long run makes, the more often it is no execution in the end.
  static std::uint32_t promise_share_of(std::uint64_t seed) {
    random_source random(~seed ^ 1);
    return random.below(2) == 0 ? 0 : 1U << 2 * random.below(5);
  }

  [[nodiscard]] run_plan plan_of(std::uint64_t seed) const {
    run_plan plan;
    if (options_.kind == search_kind::pct) {
      plan = by_priority(options_.depth, seen_.length);
    } else if (options_.kind == search_kind::swarm) {
      random_source random(~seed);
      plan.how = static_cast<bias>(random.below(4));
      plan.leave = 2U << random.below(10);
      plan.depth = 1 + random.below(5);
      plan.length = std::uint64_t{16} << random.below(14);
      plan.slow = static_cast<slow_units>(random.below(3));
      plan.slow_share = 2U << random.below(3);
      plan.slowness = 4U << random.below(8);
      plan.sides = static_cast<side_order>(random.below(3));
      plan.messages = static_cast<message_choice>(random.below(3));
    }
    if (Engine::is_weak) plan.promise_share = promise_share_of(seed);
    return plan;
  }

  /// Estimates the length of runs by priority, and adds a quarter: changes of priority make runs
  /// differ in length. The result is the same for every seed, so runs can be repeated alone.
  void estimate_length() {
    std::uint64_t longest = 1;
    for (std::uint64_t i = 0; i < trial_runs && stopped_.empty(); ++i) {
      one(by_priority(options_.depth, longest), i, nullptr);
      longest = std::max(longest, order_.events(walk()));
    }
    seen_.length = longest + longest / 4;
    seen_.depth = options_.depth;
  }

  void settle_bound() {
    // The bound counts orders of steps, not what lanes read.
    if (options_.kind != search_kind::pct || Engine::is_weak) return;
    seen_.bound = pct_bound(seen_.lanes, seen_.length, seen_.depth);
  }

  /// Carries out one run, and notes its choices. None: the run was given up.
  std::optional<outcome> one(const run_plan& plan, std::uint64_t seed,
                             std::vector<simt::choice>* choices) {
    walk().watch_races(wants(verdict::race));
    walk().restart();
    order_.begin(plan, seed, walk());
    quiet_ = patience_ + (plan.how == bias::uniform ? 0 : 4 * plan.leave);
    next_proof_ = 8 * quiet_;
    next_stall_ = 0;
    next_look_ = std::min(quiet_, seen_.step_limit);
    using kind = outcome::kind;
    for (;;) {
      if (walk().steps() >= next_look_) [[unlikely]] {
        if (const auto end = look()) return end;
        if (!stopped_.empty()) return std::nullopt;
      }
      if constexpr (Engine::is_weak) {
        if (has_news()) return std::nullopt;
        if (engine_.machine().makes_promises() && order_.looks_for_promises()) walk().list_all();
      }
      simt::choice by{simt::choice::kind::lane, 0, 0};
      if (walk().only_single_steps()) [[likely]] {
        by.unit = order_.lane(walk());
      } else if (walk().awaits_choice()) {
        by = order_.settle(walk());
      } else if (walk().diverges()) {
        return outcome{kind::ended, simt::ending::barrier_divergence};
      } else if (walk().ready().empty() && walk().joint().empty()) {
        return outcome{at_a_stop()};
      } else {
        by = order_.next(walk());
      }
      if (by.unit == nobody) [[unlikely]] {  // all ready lanes only spin
        if (walk().steps() < next_stall_) continue;
        next_stall_ = 2 * walk().steps();
        if (dead().proves(walk())) return outcome{kind::deadlock};
        continue;
      }
      if (by.what == simt::choice::kind::lane) by = order_.way_of(by.unit, walk());
      if constexpr (Engine::is_weak) {
        if (by.unit == nobody) {  // the lane cannot step here, after all
          walk().list_all();
          continue;
        }
      }
      if (choices != nullptr) choices->push_back(by);
      const bool alone = by.what == simt::choice::kind::lane;
      const simt::ending ends = alone ? walk().step(by) : walk().perform(by);
      if (ends != simt::ending::none) return outcome{kind::ended, ends};
      if (alone) order_.stepped(by.unit, walk());
    }
  }

  /// Says how a run has ended when nothing more can happen.
  typename outcome::kind at_a_stop() {
    using kind = outcome::kind;
    if (walk().is_complete()) return kind::complete;
    if constexpr (Engine::is_weak) {
      if (walk().has_promises()) return kind::no_execution;
    }
    return kind::deadlock;
  }

  /// From time to time: asks whether the run is a deadlock by now, whether it is too long, and
  /// whether time is over.
  std::optional<outcome> look() {
    const std::uint64_t steps = walk().steps();
    if (steps >= seen_.step_limit) {
      const bool is_dead = options_.judges_cut_off && dead().decides(walk());
      return outcome{is_dead ? outcome::kind::deadlock : outcome::kind::cut_off};
    }
    const bool quiet = steps - walk().last_news() >= quiet_;
    if (quiet || steps >= next_proof_) {
      if (dead().proves(walk())) return outcome{outcome::kind::deadlock};
      // No deadlock, or none that can be proved. So the next looks come later.
      if (quiet) quiet_ *= 4;
      if (!quiet) next_proof_ *= 4;
    }
    since_clock_ += engine_.clock_interval();
    look_at_clock();
    next_look_ = std::min({walk().last_news() + quiet_, next_proof_, seen_.step_limit,
                           steps + engine_.clock_interval()});
    next_look_ = std::max(next_look_, steps + 1);
    return std::nullopt;
  }

  void look_at_clock() {
    if (repeating_ && more_.is_over()) stopped_ = bounds_.reached(0);
    if (since_clock_ < engine_.clock_interval() || !stopped_.empty() || repeating_) return;
    since_clock_ = 0;
    stopped_ = bounds_.reached(bytes());
    if (options_.progress) options_.progress({seen_.runs, seen_.steps + walk().steps(), bytes()});
  }

  void take_in(const outcome& end, std::uint64_t seed) {
    const std::uint64_t steps = walk().steps();
    ++seen_.runs;
    seen_.steps += steps;
    since_clock_ += steps + 256;
    seen_.longest = std::max(seen_.longest, steps);
    if (seen_.length != 0 && order_.events(walk()) > seen_.length) ++seen_.longer;
    broken_ = verdicts_of(walk().broken());
    const bool raced = wants(verdict::race) && walk().race().has_value();
    switch (end.how) {
      case outcome::kind::complete:
        ++seen_.completed;
        if (wants(verdict::assertion) && !passes_check()) found(verdict::assertion, seed);
        break;
      case outcome::kind::ended:
        if (wants(verdict_of(end.ends))) found(verdict_of(end.ends), seed);
        break;
      case outcome::kind::deadlock:
        ++seen_.deadlocks;
        take_in_deadlock(seed);
        break;
      case outcome::kind::cut_off: ++seen_.cut_off; break;
      case outcome::kind::no_execution: ++seen_.impossible; return;
    }
    take_in_history(seed);
    if (raced && stopped_.empty()) found(verdict::race, seed);
  }

  void take_in_history(std::uint64_t seed) {
    for (const verdict kind :
         {verdict::not_linearizable, verdict::not_sequentially_consistent,
          verdict::not_quiescently_consistent, verdict::not_strictly_serializable,
          verdict::not_opaque, verdict::wrong_linearization_point}) {
      const bool is_new = (broken_ & wanted_ & bit(kind)) != 0;
      if (is_new && stopped_.empty()) found(kind, seed);
    }
  }

  void take_in_deadlock(std::uint64_t seed) {
    if ((wanted_ & deadlocks) == 0) return;
    std::optional<verdict> kind = verdict::deadlock;
    if (!found_.contains(verdict::simt_deadlock)) {
      kind = dead().kind(walk());
    } else if (!dead().is_deadlock(walk())) {
      return;  // mostly another simt-deadlock; to be sure would take longer
    }
    if (!kind) ++seen_.undecided;
    if (kind && wants(*kind)) found(*kind, seed);
    const bool goes_on = stopped_.empty() && wants(verdict::simt_deadlock);
    if (kind == verdict::deadlock && walk().follows().has_stacks() && goes_on) look_back(seed);
  }

  // Looks for a SIMT deadlock on the way. The first dead state of a run may be one, before other
  // lanes go on and make it a plain deadlock.
  void look_back(std::uint64_t seed) {
    if (looks_back_ == most_looks_back) return;
    ++looks_back_;
    std::vector<simt::choice> choices = choices_of(seed);
    if (!stopped_.empty()) return;
    const auto stand_at = [&](std::size_t length) {
      walk().restart();
      for (std::size_t i = 0; i < length; ++i) walk().perform(choices[i]);
    };
    std::size_t alive = 0;
    std::size_t dead_from = choices.size();
    while (alive < dead_from) {
      const std::size_t middle = alive + (dead_from - alive) / 2;
      stand_at(middle);
      if (dead().decides(walk())) {
        dead_from = middle;
      } else {
        alive = middle + 1;
      }
    }
    stand_at(dead_from);
    if (dead().kind(walk()) != verdict::simt_deadlock) return;
    choices.resize(dead_from);
    found(verdict::simt_deadlock, seed, std::move(choices));
  }

  bool passes_check() {
    const auto memory = walk().memory();
    if (!good_memory_.empty() && std::ranges::equal(memory, good_memory_)) return true;
    if (run_.final_check(memory) != nullptr) return false;
    good_memory_.assign(memory.begin(), memory.end());
    return true;
  }

  /// Returns the choices of the run with this seed. If there is no time to make it again, the
  /// search is stopped.
  std::vector<simt::choice> choices_of(std::uint64_t seed) {
    const asked_in_time patience(engine_.machine().program(), more_);
    std::vector<simt::choice> choices;
    repeating_ = true;
    one(plan_of(seed), seed, &choices);
    repeating_ = false;
    return choices;
  }

  void found(verdict kind, std::uint64_t seed) {
    const std::vector<simt::choice> choices = choices_of(seed);
    if (stopped_.empty()) found(kind, seed, choices);
  }

  /// Keeps a violation that `choices` show: those of the run with this seed, or the first of them.
  void found(verdict kind, std::uint64_t seed, const std::vector<simt::choice>& choices) {
    const asked_in_time patience(engine_.machine().program(), more_);
    violation v{kind, {}, {}};
    auto shorter =
        shortener<Engine>(run_, engine_, bounds_, options_.work_to_shorten).shorten(choices, kind);
    if (!shorter) {
      if (kind == verdict::race) return;  // neither access can follow the other, after all
      if (bounds_.is_over()) return;      // no time left to prove it
      if (has_news()) return;
      throw std::logic_error(
          fmt::format("the run with seed {} shows no {} when it is repeated", seed, name(kind)));
    }
    v.how.prefix = std::move(*shorter);
    complete(v);
    found_.emplace(kind, std::move(v));
    seen_.found.push_back({kind, seed});
    wanted_ = static_cast<verdict_set>(wanted_ & ~bit(kind));
    if (bounds_.first) stopped_ = {stop_reason::first_violation, "stopped at the first violation"};
  }

  /// Adds the cycle or the detail of a violation.
  void complete(violation& v) {
    simt::machine& machine = engine_.machine();
    walk().watch_races(false);
    walk().restart();
    simt::successor_list list;
    simt::state_words before = walk().state();
    for (std::size_t i = 0; i < v.how.prefix.size(); ++i) {
      if (i + 1 == v.how.prefix.size()) before = walk().state();
      walk().perform(v.how.prefix[i]);
    }
    switch (v.kind) {
      case verdict::barrier_divergence:
        machine.steps(walk().diverges() ? walk().state() : before, list);
        v.detail = list.why;
        break;
      case verdict::assertion:
        if (!walk().is_complete()) break;
        if (const char* message = run_.final_check(walk().memory())) v.detail = message;
        break;
      case verdict::deadlock:
      case verdict::simt_deadlock:
        v.how.cycle = cycle_by_turns(machine, walk().state(), v.how.prefix);
        if (has_news()) return;
        settle_cycle(machine, v.how);
        break;
      default: break;
    }
  }
};

}  // namespace

double pct_bound(std::uint64_t lanes, std::uint64_t length, std::uint32_t depth) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(lanes, 1));
  const auto k = static_cast<double>(std::max<std::uint64_t>(length, 1));
  return 1 / (n * std::pow(k, depth - 1.0));
}

std::uint64_t default_steps(const scenario& what, search_kind kind, simt::memory_model memory) {
  const std::uint64_t lanes = what.grid.threads();
  const bool early = kind == search_kind::swarm || memory == simt::memory_model::ptx;
  const std::uint64_t least = early ? 10'000 : 100'000;
  const std::uint64_t each = early ? 4 : 16;
  return std::min<std::uint64_t>(least + each * lanes * lanes * what.repeat, 1'000'000'000);
}

namespace {

/// Takes one walk of at most `steps` steps, without promises. Returns its choices.
template <class Walk>
std::vector<simt::choice> walk_alone(simt::machine& machine, std::uint64_t seed,
                                     std::uint64_t steps) {
  std::vector<simt::choice> made;
  Walk walk(machine);
  schedule<Walk> order;
  order.begin({}, seed, walk);
  while (walk.steps() < steps && !walk.diverges() && !machine.has_news()) {
    simt::choice by;
    if (walk.awaits_choice()) {
      by = order.settle(walk);
    } else if (walk.ready().empty() && walk.joint().empty()) {
      break;
    } else {
      by = order.next(walk);
    }
    if (by.what == simt::choice::kind::lane) by = order.way_of(by.unit, walk);
    if (by.unit == schedule<Walk>::nobody) break;
    made.push_back(by);
    if (walk.perform(by) != simt::ending::none) break;
  }
  return made;
}

/// Takes walks until several in a row have shown nothing new of the program. What choices mean, and
/// what chance makes of a seed, depends on what is known of it. The walks are the same for every
/// seed.
void learn_facts(session& run, const limits& bounds) {
  simt::lane_automaton lanes(run.lanes(), false);
  const asked_in_time patience(lanes, bounds);
  simt::machine_stores stores(lanes);
  const auto machine = simt::make_machine(run.setup(), stores);
  const std::uint64_t threads = run.setup().grid.threads();
  const std::uint64_t most = work_of_walk / weak_dead_states::work_of_step(threads);
  const std::uint64_t steps = std::clamp(most, shortest_walk, steps_of_walk * threads);
  std::uint64_t walks = 0;
  for (std::uint32_t quiet = 0; quiet < quiet_walks;) {
    machine->begin_again();
    unless_void(*machine, [&] { walk_alone<simt::weak_walker>(*machine, ++walks, steps); });
    quiet = machine->has_news() ? 0 : quiet + 1;
  }
}

/// Searches once. False: something was learnt of the program, and what was found does not count.
template <class Engine>
bool search_with(session& run, const limits& bounds, const search_options& options,
                 run_result& result) {
  run.machine().begin_again();
  searcher<Engine> all(run, bounds, options);
  stop_cause cut_short;
  try {
    simt::unless_void(all.machine(), [&] { all.all(); });
  } catch (const simt::lane_runaway& runaway) {
    cut_short = {reason_of(runaway), text_of(run, runaway)};
  } catch (const simt::lane_automaton::given_up&) {
    cut_short = bounds.reached(0);
  }
  if (all.has_news()) return false;
  result.search = all.coverage();
  result.violations = all.violations();
  result.forbidden_executions = 0;
  overtime more(bounds);
  const asked_in_time patience(run.stores().program, more);
  std::erase_if(result.violations, [&](const violation& v) {
    try {
      if (!is_forbidden(run.machine(), v.how)) return false;
      ++result.forbidden_executions;
    } catch (const simt::lane_automaton::given_up&) {  // no time left to judge it
      if (cut_short.empty()) cut_short = bounds.reached(0);
    }
    std::erase_if(result.search->found, [&](const auto& seen) { return seen.kind == v.kind; });
    return true;
  });
  result.transitions = all.coverage().steps;
  result.depth = all.coverage().longest;
  result.peak_bytes = all.bytes();
  result.stopped = cut_short.empty() ? all.stopped() : cut_short;
  return !all.has_news() && !run.machine().has_news();
}

/// Searches under weak memory. Begins again if a run shows something new of the program. False:
/// time was over before a search came to an end.
bool search_weakly(session& run, const limits& bounds, const search_options& options,
                   run_result& result) {
  const simt::facts_are_learnt learning(run.facts());
  // Which lanes access a location, and where load buffering may occur, shows late, by chance. So
  // take the worst for granted. A search would gain less by such facts than an exploration does.
  simt::memory_facts facts;
  facts.all_contested = true;
  facts.may_buffer = true;
  run.facts().learn(facts);
  for (;;) {
    if (result.rounds == 1) learn_facts(run, bounds);
    if (search_with<weak_engine>(run, bounds, options, result)) break;
    if (bounds.is_over()) return false;
    ++result.rounds;
  }
  for (auto& found : result.search->found) found.alone = result.rounds == 1;
  return true;
}

}  // namespace

std::vector<simt::choice> random_run(simt::machine& machine, std::uint64_t seed,
                                     std::uint64_t steps) {
  return walk_alone<simt::walker>(machine, seed, steps);
}

run_result search(session& run, const limits& asked, const search_options& options) {
  if (run.subject().never_ends()) {
    throw usage_error(fmt::format(
        "{}: --search makes single runs, which must end, and with repeat = \"forever\" none does; "
        "leave --search out, or give \"repeat\" a number",
        run.subject().place_of("repeat")));
  }
  if (run.setup().grid.copies) {
    throw usage_error(fmt::format(
        "{}: --search does not know asynchronous copies (simt/async.hpp), which this subject "
        "makes; leave --search out",
        run.subject().place_of("subject")));
  }
  limits bounds = asked;
  bounds.start = clock::now();
  if (!bounds.time && !options.runs) bounds.time = default_seconds;
  run_result result;
  result.rounds = 1;
  const asked_in_time patience(run.stores().program, bounds);
  const auto has_not_begun = [&](stop_cause why) {
    result.search.emplace();
    result.search->kind = options.kind;
    result.search->seed = options.seed;
    result.stopped = std::move(why);
  };
  try {
    if (run.traits_of_memory().is_image) {
      search_with<ordered_engine>(run, bounds, options, result);
    } else if (!search_weakly(run, bounds, options, result)) {
      has_not_begun(bounds.reached(0));
    }
  } catch (const simt::lane_runaway& runaway) {  // before the first step
    has_not_begun({reason_of(runaway), text_of(run, runaway)});
  } catch (const simt::lane_automaton::given_up&) {
    has_not_begun(bounds.reached(0));
  } catch (const simt::lane_error& error) {
    throw misuse(run, error);
  }
  result.continuations = run.lanes().size();
  result.device_runs = run.lanes().runs();
  result.settle_unwritten_reads();
  result.gravest =
      !result.violations.empty() ? result.violations.front().kind : verdict::inconclusive;
  result.seconds = bounds.seconds();
  return result;
}

}  // namespace warpcheck
