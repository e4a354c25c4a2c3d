// Checks a session: chooses the explorations, their limits and reductions, and joins their results.
#include "checker/check/check.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/axioms/recorded_events.hpp"
#include "checker/check/first_look.hpp"
#include "checker/check/followed.hpp"
#include "checker/check/growth.hpp"
#include "checker/check/part_of_limits.hpp"
#include "checker/check/saved_search.hpp"
#include "checker/claims/check_progress.hpp"
#include "checker/distributed/distributed_search.hpp"
#include "checker/distributed/packed_knowledge.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/explore/counterexample.hpp"
#include "checker/explore/ends/end_search.hpp"
#include "checker/explore/ends/independent_end.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/lasso.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "checker/explore/rehearsal.hpp"
#include "checker/run/place.hpp"
#include "checker/run/turn.hpp"
#include "sim/files/whole_file.hpp"
#include "sim/lane/fault_guard.hpp"
#include "sim/machine/its_machine.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/subject/gates_copies.hpp"

namespace warpcheck {
namespace {

// States beyond which it pays to learn by walking, before all of them are explored again.
constexpr std::uint64_t worth_rehearsing = 200;
// So many walks in a row that show nothing new end that: at least, and for as many states explored.
constexpr std::uint64_t fewest_quiet_walks = 4;
constexpr std::uint64_t states_for_a_walk = 500;
// How much of a plain exploration short counterexamples are worth.
constexpr std::uint64_t plain_states = 20'000;
constexpr double plain_seconds = 1;
// What follows single runs that have shown a violation, in seconds. Of a grid of more threads less
// can be explored in the time.
constexpr double behind_a_look = 0.5;
constexpr double threads_for_all_of_it = 256;
constexpr double grace_behind_a_look = 0.25;
constexpr std::size_t steps_of_a_rehearsal = 32;  // for each lane
constexpr std::uint64_t steps_for_a_state = 32;   // that was explored, of all walks
// Work (turn.hpp) for the question what independent scheduling does behind states that were proved
// to be dead; beyond it, the search without proofs is the shorter way.
constexpr std::uint64_t work_behind_proofs = 500'000;
// Rounds in which proofs may ask device code something new. Answers may lead to new questions
// without end, and each round that has learnt something is followed by another one.
constexpr std::uint64_t asking_rounds = 4;

simt::machine_setup fair_under_its(const session& run) {
  simt::machine_setup setup = under_its(run);
  setup.progress = simt::progress::fair;  // whether an end can be reached does not depend on it
  return setup;
}

/// Which dead states of a stack machine could end under independent scheduling.
class its_judgement {
 public:
  using answer = end_search::answer;

  its_judgement(const session& run, reduced_machine& reduced, const explorer& stack,
                const limits& bounds)
      : machine_(fair_under_its(run), reduced.stores, {&reduced.its_moves, nullptr}),
        search_(machine_, bounds),
        answers_(stack.states().size(), answer::unknown) {
    reduced.its_moves.tell_apart(reduced.moves.roles());
    std::vector<simt::state_words> proved;
    bool any_proved = false;
    for (state_id s = 0; s < stack.states().size(); ++s) {
      if (machine_.has_news()) return;
      if (!stack.is_closed(s) || stack.can_end(s)) continue;
      const simt::state_words dead = stack.states().read(s);
      // A promise there is never kept, or is kept further on. So this is no deadlock of its own.
      if (machine_.has_promises(dead)) continue;
      const simt::state_words adopted = machine_.adopt(dead);
      answers_[s] = search_.from(adopted);
      kinds_ = static_cast<verdict_set>(kinds_ | kind(answers_[s]));
      stopped_ = search_.stopped();
      if (!stopped_.empty()) return;
      if (!stack.is_proved(s)) continue;
      any_proved = true;
      if (answers_[s] == answer::ends) proved.push_back(adopted);
    }
    if (any_proved) look_behind(std::move(proved), bounds);
  }

  [[nodiscard]] answer of(state_id s) const { return answers_[s]; }
  /// The kinds of deadlock that there are.
  [[nodiscard]] verdict_set kinds() const { return kinds_; }
  [[nodiscard]] const stop_cause& stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t bytes() const { return search_.bytes() + bytes_; }
  /// Behind a state that was proved to be dead, and not explored, there may be deadlocks of the
  /// other kind.
  [[nodiscard]] bool may_have_missed() const { return may_have_missed_; }
  /// The kinds of deadlock that steps in lockstep may hide (docs/reductions.md, "Lockstep").
  [[nodiscard]] verdict_set hidden_by_lockstep() {
    if (kinds_ == bit(verdict::deadlock)) return bit(verdict::simt_deadlock);
    const bool only_simt = kinds_ == bit(verdict::simt_deadlock);
    return only_simt && has_syncwarp() ? bit(verdict::deadlock) : verdict_set{0};
  }

 private:
  simt::its_machine machine_;
  end_search search_;
  std::vector<answer> answers_;
  verdict_set kinds_ = 0;
  stop_cause stopped_;
  std::uint64_t bytes_ = 0;
  bool may_have_missed_ = false;

  static verdict_set kind(answer a) {
    return a == answer::ends         ? bit(verdict::simt_deadlock)
           : a == answer::never_ends ? bit(verdict::deadlock)
                                     : verdict_set{0};
  }

  // Behind states that were proved to be dead under `stack`. Unless it passes a syncwarp, the stack
  // machine comes to no more states than independent scheduling does. So behind a state from which
  // that cannot end there are only such; and where it could, there are others only if independent
  // scheduling has dead states, too. Where that takes long, or has no end, the search without
  // proofs is the shorter way: again, it comes to no more states.
  void look_behind(std::vector<simt::state_words> proved, const limits& bounds) {
    if (kinds_ == deadlocks) return;
    may_have_missed_ = has_syncwarp();
    if (may_have_missed_ || proved.empty() || (kinds_ & bit(verdict::deadlock)) != 0) return;
    for (simt::state_words& state : proved) machine_.reduce(state);
    turn share(work_behind_proofs);
    limits own = bounds;
    own.share = &share;
    explorer its(machine_, {}, own);
    its.run(proved);
    if (bounds.share != nullptr) bounds.share->add(share.work());
    bytes_ = its.peak_bytes();
    may_have_missed_ = its.has_dead_states() || (share.was_over() && !its.complete());
    if (!its.complete() && !share.was_over()) stopped_ = its.stopped();
  }

  bool has_syncwarp() {
    const simt::lane_automaton& program = machine_.program();
    for (simt::continuation c = 0; c < program.size(); ++c) {
      const simt::operation& op = program.at(c);
      if (op.kind == simt::operation_kind::collective &&
          op.collective == simt::detail::collective_kind::syncwarp) {
        return true;
      }
    }
    return false;
  }
};

/// Not what is decided on the operation graph: of clients that never end, no state can reach an
/// end.
verdict_set searched_for(const session& run) {
  const verdict_set others =
      run.subject().never_ends() ? deadlocks | bit(verdict::livelock) : verdict_set{0};
  const verdict_set here =
      static_cast<verdict_set>(run.settings().check & ~(others | bit(verdict::starvation) |
                                                        bit(verdict::progress_violated)));
  return searched_by(here);
}

explore_options options_of(const session& run, reduced_machine& reduced,
                           const search_stage& stage) {
  explore_options options;
  options.fairness = run.settings().fairness;
  options.check = searched_for(run);
  options.prove_dead = !reduced.off.proofs;
  options.may_ask = stage.rounds <= asking_rounds;
  options.final_check = [&](std::span<const std::uint8_t> image) { return run.final_check(image); };
  if (reduced.reaches) {
    options.knows_all_accesses = [&] { return !reduced.knows_new_places(); };
    options.has_learnt = [&] { return reduced.has_learnt(true); };
  }
  options.seems_to_grow = [&](const compressed_table& states) {
    const std::lock_guard lock(reduced.stores.lanes_lock);
    return !what_grows(*reduced.machine, run.memory(), states).empty();
  };
  // Renamings are numbered in the order in which one machine meets them.
  if (!reduced.machine->renames()) {
    options.another_machine = [&] { return reduced.another(run); };
  }
  return options;
}

explorer make_explorer(simt::machine& machine, const explore_options& options, const limits& bounds,
                       saved_search* earlier) {
  try {
    if (earlier == nullptr) return explorer(machine, options, bounds);
    return explorer(machine, options, bounds, earlier->earlier());
  } catch (const std::system_error& error) {
    throw usage_error(fmt::format("--spill: no file for states: {}", error.what()));
  } catch (const std::runtime_error& error) {
    if (earlier == nullptr) throw;
    earlier->damaged(error.what());
  }
}

/// What a round comes to that does not count.
struct contradicted {
  knowledge better;  // to begin the next one with
  // States were taken for alike that are not. Walks may show more of that at once.
  bool is_of_states = false;
};

/// Time was over before it was known how to come to some violations of these kinds.
void lacks_ways_to(verdict_set seen, const limits& bounds, run_result& result) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((seen & ~result.found() & (1U << i)) != 0) names.push_back(verdict_names[i]);
  }
  if (result.stopped.empty()) result.stopped = bounds.reached(0);
  if (names.empty()) return;
  result.stopped = {stop_reason::not_shown,
                    fmt::format("{}, before a run that shows what was seen ({}) was put together",
                                result.stopped.text, fmt::join(names, ", "))};
}

/// What was seen on entering a state is shown by the way on which it was seen, where there is no
/// time to look for a short one.
void show_on_first_ways(explorer& search, state_id root, counterexample_request request,
                        const limits& bounds, simt::lane_automaton& lanes, run_result& result) {
  request.on_first_ways = true;
  request.kinds = static_cast<verdict_set>(request.kinds & ~result.found());
  overtime more(bounds);
  const asked_in_time patience(lanes, more);
  try {
    if (!counterexamples(search, root, request, result.violations)) return;
    std::ranges::stable_sort(result.violations, {}, &violation::kind);
  } catch (const simt::lane_automaton::given_up&) {
  }
}

/// One round: explores from the start to the end, with a machine that assumes what is known. Comes
/// to a result that counts, or to better knowledge: what was found is void then. Goes on with
/// `earlier`, if there is one. With `others`, it is those ranks that explore.
std::optional<contradicted> explore(const session& run, reduced_machine& reduced,
                                    const knowledge& known, const search_stage& stage,
                                    const limits& bounds, run_result& result, saved_search* earlier,
                                    distributed_search* others) {
  const auto known_now = [&] { return others != nullptr ? others->known() : reduced.known(run); };
  const auto states_differ = [&] { return contradicted{known_now(), true}; };
  // Part of a reduction does not hold, or is of no use: without it.
  const auto without_part = [&](bool without::*part) {
    contradicted round{known_now()};
    round.better.off.*part = true;
    return round;
  };
  const bool has_stacks = run.setup().model.reconvergence == simt::reconvergence::stack;
  if (others != nullptr && has_stacks && reduced.reaches && !known.meets_divergence) {
    contradicted round{known};
    round.better.meets_divergence = true;  // ranks do not look for circles of choices
    return round;
  }
  if (earlier == nullptr) reduced.renew(run, known);
  if (reduced.machine->has_news()) return states_differ();
  if (others != nullptr) others->begin_round(known);
  if (reduced.machine->has_news()) return states_differ();
  const explore_options options = options_of(run, reduced, stage);
  simt::machine& machine = *reduced.machine;
  explorer search = make_explorer(machine, options, bounds, earlier);
  if (earlier != nullptr) earlier->check_states(reduced, search);
  const auto count = [&] {
    result.states = others != nullptr ? others->states() : search.states().size();
    result.transitions = search.transitions();
    result.depth = search.depth();
    result.peak_bytes =
        std::max(result.peak_bytes, others != nullptr ? others->peak_bytes() : search.peak_bytes());
  };
  const auto is_void = [&] {
    count();
    return states_differ();
  };
  result.violations.clear();
  try {
    simt::state_words root = machine.initial();
    if (!machine.has_news()) machine.reduce(root);
    if (machine.has_news()) return is_void();
    if (others != nullptr) {
      others->explore(search, root, bounds);
      if (others->is_void()) return is_void();
    } else {
      search.run({&root, 1});
    }
    if (machine.has_news()) return is_void();
    if (search.stops_to_learn()) {
      count();
      return contradicted{known_now()};
    }
    // As where there is a divergence, no step runs ahead to a branch from here on.
    if (reduced.reaches && search.chooses_in_circles() && reduced.reaches->meet_divergence())
      return is_void();
    if (search.moves_too_much() && machine.is_symmetric()) return without_part(&without::moves);
    result.stopped = search.stopped();
    // Steps are left out by what is assumed of lanes. A state without a way out, or a cycle in
    // which a lane takes no step, may only lack such a step. So these count only if the assumptions
    // hold, also where the search has stopped early.
    const verdict_set seen = static_cast<verdict_set>(
        search.found() | (search.has_dead_states() ? deadlocks : verdict_set{0}));
    const bool rests_on_assumptions = result.stopped.empty() || (seen & rest_on_all_steps) != 0;
    bool learnt_more = rests_on_assumptions && reduced.has_learnt(true);
    if (others != nullptr && rests_on_assumptions) learnt_more = others->has_learnt(learnt_more);
    if (machine.has_news()) return is_void();
    const bool no_time_to_learn = learnt_more && !result.stopped.empty() && bounds.is_over();
    if (learnt_more && !no_time_to_learn) {
      count();
      return contradicted{known_now()};
    }
    if (search.minds_names()) return without_part(&without::names);
    // What is closed must rest on the steps that the machine takes here.
    if (earlier != nullptr && result.stopped.empty() && !search.is_closed_under_steps())
      return is_void();

    counterexample_request request;
    request.kinds = search.found();
    if (no_time_to_learn)
      request.kinds = static_cast<verdict_set>(request.kinds & ~rest_on_all_steps);
    result.forbidden_executions = 0;
    request.may_be_shown = [&](const execution& how) {
      const bool forbidden = is_forbidden(machine, how);
      result.forbidden_executions += forbidden ? 1 : 0;
      return !forbidden;
    };
    std::optional<its_judgement> judgement;
    if (search.has_dead_states() && (options.check & deadlocks) != 0 && !no_time_to_learn) {
      if (!machine.has_stacks()) {
        request.kinds = static_cast<verdict_set>(request.kinds | bit(verdict::deadlock));
      } else {
        judgement.emplace(run, reduced, search, bounds);
        result.peak_bytes = std::max(result.peak_bytes, search.peak_bytes() + judgement->bytes());
        // A state stands for others that only look the same until scheduling is independent.
        if (machine.has_news() || reduced.moves.learn_from(reduced.its_moves)) return is_void();
        if (result.stopped.empty()) result.stopped = judgement->stopped();
        if (result.stopped.empty() && judgement->may_have_missed() &&
            (options.check & deadlocks & ~judgement->kinds()) != 0) {
          return without_part(&without::proofs);
        }
        if (result.stopped.empty() && reduced.has_trusted_lockstep() &&
            (options.check & deadlocks & judgement->hidden_by_lockstep()) != 0) {
          return without_part(&without::lockstep);
        }
        request.kinds = static_cast<verdict_set>(request.kinds | judgement->kinds());
        request.dead_kind = [&](state_id s) -> std::optional<verdict> {
          switch (judgement->of(s)) {
            case end_search::answer::ends: return verdict::simt_deadlock;
            case end_search::answer::never_ends: return verdict::deadlock;
            case end_search::answer::unknown: break;
          }
          return std::nullopt;
        };
      }
      request.kinds = static_cast<verdict_set>(request.kinds & options.check);
    }
    const bool is_kept = result.stopped.empty() || bounds.files.save;
    bool names_hold = !is_kept || machine.renames_still_hold();
    if (others != nullptr && is_kept) names_hold = others->names_hold(names_hold);
    if (!names_hold || machine.has_news()) return is_void();
    if (request.kinds != 0) {
      try {
        overtime more(bounds);
        const asked_in_time patience(reduced.stores.program, more);
        const bool all_followed =
            counterexamples(search, search.states().find(root), request, result.violations);
        if (machine.has_news()) return is_void();
        if (!all_followed && !machine.is_symmetric())
          throw std::logic_error("a path of the reduced graph is none of the machine");
        // States stand for others by names that lanes no longer have for sure.
        if (!all_followed) {
          count();
          return without_part(machine.renames() ? &without::names : &without::moves);
        }
      } catch (const simt::lane_automaton::given_up&) {
        show_on_first_ways(search, search.states().find(root), request, bounds,
                           reduced.stores.program, result);
        lacks_ways_to(request.kinds, bounds, result);
      }
      if (search.moves_too_much() && machine.is_symmetric()) return without_part(&without::moves);
      if (result.stopped.empty() && (request.kinds & ~result.found()) != 0) {
        if (earlier != nullptr) return is_void();
        // Another rank may have kept another state of those that look the same.
        if (others != nullptr && machine.renames()) return without_part(&without::names);
        result.stopped = {
            stop_reason::defect,
            result.forbidden_executions == 0
                ? "a violation was seen, but no way to it was found"
                : "what looks like a violation is an execution that the axioms of the memory model "
                  "forbid: a defect of warpcheck"};
      }
    }
  } catch (...) {  // where states were taken for alike that are not, this may be no error
    count();
    if (!machine.has_news()) throw;
  }
  if (machine.has_news()) return is_void();
  count();
  result.grows.clear();
  const bool is_limited =
      is_of_limit(result.stopped.reason) || result.stopped.reason == stop_reason::merging;
  if (is_limited && search.is_on_one_path())
    result.grows = what_grows(machine, run.memory(), search.states());
  if (!result.stopped.empty() && bounds.files.save && run.leaves_masks_out()) {
    result.not_saved = "a search that leaves masks of an activemask out is not kept";
  } else if (!result.stopped.empty() && bounds.files.save && machine.has_launches()) {
    result.not_saved = "a search of several launches is not kept";
  } else if (!result.stopped.empty() && bounds.files.save) {
    try {
      if (!save_search(*bounds.files.save, run, reduced, stage, search)) return is_void();
      result.saved = *bounds.files.save;
    } catch (const simt::file_error& error) {
      result.not_saved = error.what();
    }
  }
  if (const simt::renaming* names = machine.renaming_of_lanes()) result.renamings = names->size();
  return std::nullopt;
}

/// All rounds of one exploration together.
struct rehearsals {
  std::uint64_t states = 0;  // that were explored
  std::uint64_t walks = 0;
  std::uint64_t steps = 0;

  /// What may still be walked: exploring is what it is about.
  [[nodiscard]] std::uint64_t steps_left() const {
    return steps_for_a_state * states - std::min(steps, steps_for_a_state * states);
  }
};

/// Walks until several walks in a row show nothing new: more of them, the more states will be
/// explored again. Walks end earlier if they take much for what was explored, or if time is over.
/// (The next exploration reports that.) Returns what is known then.
knowledge rehearse(session& run, reduced_machine& reduced, knowledge known, const limits& bounds,
                   std::uint64_t states, rehearsals& all) {
  const std::uint64_t enough = std::max(fewest_quiet_walks, states / states_for_a_walk);
  const std::size_t steps = steps_of_a_rehearsal * run.setup().grid.threads();
  const asked_in_time patience(reduced.stores.program, bounds);
  if (run.setup().grid.copies) return known;  // walkers do not know them
  if (all.walks == 0 && reduced.stores.program.merges()) {
    all.steps += walk_unmerged(run, reduced.stores.program, ++all.walks,
                               std::min<std::uint64_t>(steps, all.steps_left()), bounds);
  }
  for (std::uint64_t quiet = 0; quiet < enough && all.steps_left() > 0 && !bounds.is_over();) {
    try {
      reduced.renew(run, known);
      const simt::machine& machine = *reduced.machine;
      unless_void(machine, [&] {
        for (; quiet < enough && !machine.has_news() && !bounds.is_over(); ++quiet) {
          const std::uint64_t most = std::min<std::uint64_t>(steps, all.steps_left());
          if (most == 0) break;
          ++all.steps;
          all.steps += walk(*reduced.machine, ++all.walks, most, bounds);
        }
      });
      if (machine.has_news()) quiet = 0;
      known = reduced.known(run);
    } catch (const simt::lane_automaton::given_up&) {
      break;
    }
  }
  return known;
}

/// Makes cycles close. A violation whose cycle takes too long is none that could be shown.
void settle_cycles(session& run, const limits& bounds, run_result& result) {
  overtime more(bounds);
  const asked_in_time patience(run.stores().program, more);
  const verdict_set seen = result.found();
  const auto are_left = std::ranges::remove_if(result.violations, [&](violation& v) {
    try {
      settle_cycle(run.machine(), v.how);
      return false;
    } catch (const simt::lane_automaton::given_up&) {
      return true;
    }
  });
  if (are_left.empty()) return;
  result.violations.erase(are_left.begin(), are_left.end());
  lacks_ways_to(seen, bounds, result);
}

/// Explores round by round, until one counts or `bounds` are reached. `program`: what lanes do, as
/// far as it is known. `all`: ranks, of which this is the first. It goes on alone up to a limit of
/// `bounds`, so that ranks explore together what is known well, or nothing, if it is small. If
/// stores are promised, that limit is the end.
run_result explore_in_rounds(session& run, simt::lane_program& program, simt::lane_automaton& lanes,
                             const limits& bounds, const reductions& reduce, ranks* all = nullptr) {
  const simt::fault_handlers handlers;  // for all lanes that will be run
  run_result result;
  reduced_machine reduced(run, lanes, reduce);
  std::optional<distributed_search> others;
  if (all != nullptr) others.emplace(*all, run, reduced, lanes);
  search_stage stage{reduce, 0, 0};
  knowledge known;
  known.off.proofs = !reduce.dead;
  known.off.names = run.setup().entry->next_launch != nullptr;  // the host sees lanes by names
  rehearsals walked;
  double before = 0;  // seconds, of an earlier search
  std::optional<asked_in_time> patience(std::in_place, lanes, bounds);
  limits together = bounds;
  together.share = nullptr;
  limits alone = bounds;
  if (others) {
    alone.threads = 1;
    alone.max_states = std::min(bounds.share_after, bounds.max_states.value_or(bounds.share_after));
  }
  bool is_together = false;
  try {
    std::optional<saved_search> earlier;
    if (bounds.files.resume && std::filesystem::exists(*bounds.files.resume)) {
      earlier.emplace(*bounds.files.resume, run, reduce);
      stage = earlier->stage();
      before = stage.seconds;
    }
    for (;;) {
      if (!earlier) ++stage.rounds;
      stage.seconds = before + bounds.seconds();
      if (earlier && !earlier->restore(run, reduced)) {
        known.join(reduced.known(run));
        earlier.reset();
      }
      if (earlier) result.resumed = *bounds.files.resume;
      std::optional<contradicted> round =
          explore(run, reduced, known, stage, is_together ? together : alone, result,
                  earlier ? &*earlier : nullptr, is_together ? &*others : nullptr);
      earlier.reset();
      const bool is_large = others && !is_together && !round &&
                            result.stopped.reason == stop_reason::states &&
                            alone.max_states != bounds.max_states;
      if (is_large && !may_promise(run)) {
        is_together = true;
        known = reduced.known(run);
        result.violations.clear();
        patience.reset();  // what is given up for the time would be known to this rank alone
        continue;
      }
      if (!round) break;
      known = std::move(round->better);
      result.violations.clear();
      if (is_together && known.weak) run.facts().learn(known.weak->facts);
      if (is_together && may_promise(run)) {
        is_together = false;
        result.stopped = limits::reached_states(result.states);
        break;
      }
      walked.states += result.states;
      if (!round->is_of_states) continue;
      if (result.states > worth_rehearsing)
        known = rehearse(run, reduced, std::move(known), bounds, result.states, walked);
    }
    settle_cycles(run, bounds, result);
  } catch (const simt::lane_automaton::given_up&) {
    result.stopped = bounds.reached(0);
  } catch (const simt::lane_runaway& runaway) {
    result.stopped = {reason_of(runaway), text_of(run, runaway)};
  } catch (const rank_lost& error) {
    result.stopped = {stop_reason::interrupted, error.what()};
  } catch (const simt::lane_error& error) {
    if (others) others->end();
    throw misuse(run, error);
  } catch (const usage_error&) {
    if (others) others->end();
    throw;
  }
  if (others) {
    if (!all->is_lost()) others->end();
    if (is_together) result.ranks = others->figures();
  }
  result.rounds = stage.rounds;
  result.continuations = lanes.size();
  result.device_runs = program.runs();
  result.settle_verdict();
  result.seconds = before + bounds.seconds();
  return result;
}

/// Adds those of `more` that are of kinds which were not found.
void add_kinds(std::vector<violation> more, run_result& result) {
  for (violation& v : more) {
    if ((result.found() & bit(v.kind)) == 0) result.violations.push_back(std::move(v));
  }
  std::ranges::stable_sort(result.violations, {}, &violation::kind);
  result.settle_verdict();
}

/// Lets two explorations take turns until one of them comes to an end (docs/reductions.md,
/// "Explorations in turns"). One merges continuations, as far as that costs no more than `bounds`
/// or exploring itself. The other one does without.
class exploration_in_turns {
 public:
  exploration_in_turns(session& run, const limits& bounds, const reductions& reduce)
      : run_(run), bounds_(bounds), with_(reduce), without_(reduce) {
    without_.merge = false;
  }

  run_result result() {
    for (std::uint64_t most = bounds_.first_turn; !has_ended_; most *= turn_grows) {
      const std::uint64_t cost = explore_merging(most);
      if (has_ended_) break;
      const std::optional<std::uint64_t> limit_at = explore_plainly(cost);
      if (!limit_at) continue;
      // Merging may still come to an end with fewer states, at no more than what these have cost.
      if (!has_ended_ && *limit_at > most) explore_merging(*limit_at);
      break;
    }
    return std::move(result_);
  }

 private:
  // Each turn has to make up for all before it.
  static constexpr std::uint64_t turn_grows = 4;

  session& run_;
  const limits& bounds_;
  reductions with_, without_;
  run_result result_;
  bool has_ended_ = false;
  bool is_first_ = true;

  // What the other exploration met is not this one's business, so each turn has a program of its
  // own. (Answers that are known of a continuation are tried on all that wait alike.)
  run_result explore_in_turn(turn& share, simt::lane_program& program, simt::lane_automaton& lanes,
                             const reductions& reduce) {
    limits own = bounds_;
    own.share = &share;
    return explore_in_rounds(run_, program, lanes, own, reduce);
  }

  /// What it has cost.
  std::uint64_t explore_merging(std::uint64_t most) {
    const std::unique_ptr<simt::lane_program> another =
        is_first_ ? nullptr : run_.lanes().another();
    simt::lane_program& program = is_first_ ? run_.lanes() : *another;
    is_first_ = false;
    simt::lane_automaton lanes(program, true);
    turn share(most, lanes);
    run_result found = explore_in_turn(share, program, lanes, with_);
    const bool ends = found.complete || !share.was_over();
    take_over(std::move(found), ends);
    return share.work();
  }

  /// What it has cost, if it has come to a limit that merging may stay below.
  std::optional<std::uint64_t> explore_plainly(std::uint64_t most) {
    const std::unique_ptr<simt::lane_program> program = run_.lanes().another();
    simt::lane_automaton lanes(*program, false);
    turn share(most);
    run_result found = explore_in_turn(share, *program, lanes, without_);
    const stop_reason why = found.stopped.reason;
    // A part that gives up because its turn is over says that time is over, too.
    const bool ends = found.complete || why == stop_reason::interrupted ||
                      (why == stop_reason::time && bounds_.is_over()) ||
                      why == stop_reason::first_violation ||
                      why == stop_reason::long_after_violation;
    const bool is_too_large = !ends && !share.was_over();
    take_over(std::move(found), ends);
    if (!is_too_large) return std::nullopt;
    return share.work();
  }

  /// Keeps `found`, or of `found` what is more than is known. `ends`: nothing will come after it.
  /// Violations of a search that was stopped are true (docs/architecture.md), so those of all turns
  /// stay where none is complete. What was covered is that of the turn with the most states.
  void take_over(run_result found, bool ends) {
    has_ended_ = ends;
    run_result earlier = std::exchange(result_, std::move(found));
    result_.rounds += earlier.rounds;
    result_.device_runs += earlier.device_runs;
    result_.peak_bytes = std::max(result_.peak_bytes, earlier.peak_bytes);
    result_.forbidden_executions =
        std::max(result_.forbidden_executions, earlier.forbidden_executions);
    if (result_.complete) return;
    if (earlier.states > result_.states) {
      result_.states = earlier.states;
      result_.transitions = earlier.transitions;
      result_.depth = earlier.depth;
      result_.grows = std::move(earlier.grows);
    }
    if (!ends && is_of_limit(earlier.stopped.reason)) result_.stopped = std::move(earlier.stopped);
    add_kinds(std::move(earlier.violations), result_);
  }
};

/// Tells the other ranks to follow an exploration of this run: of the same scenario, with these
/// fences.
void call_others(ranks& all, const session& run) {
  knowledge facts;
  facts.weak = facts_of(run);
  message_writer out;
  out.number(static_cast<std::uint64_t>(run.settings().machine.fences));
  out.bytes(pack_knowledge(facts));
  all.from_first(out.take());
}

run_result explore_reduced(session& run, const limits& bounds, const reductions& reduce,
                           ranks* all = nullptr) {
  if (all != nullptr && !may_promise(run)) {
    // One exploration, with a program that was asked nothing yet.
    call_others(*all, run);
    const std::unique_ptr<simt::lane_program> program = run.lanes().another();
    simt::lane_automaton lanes(*program, reduce.merge);
    turn share(bounds.first_turn, lanes);
    limits first = bounds;
    if (reduce.merge) first.share = &share;
    run_result result = explore_in_rounds(run, *program, lanes, first, reduce, all);
    // Where merging takes too much, or stores are promised, this rank takes turns alone.
    const bool is_cut_off = may_promise(run) && result.stopped.reason == stop_reason::states &&
                            bounds.share_after < bounds.max_states.value_or(~std::uint64_t{0});
    const bool is_left = is_cut_off || share.was_over();
    if (result.ranks || !is_left) return result;
    if (bounds.is_over()) {
      if (stop_cause why = bounds.reached(0); !why.empty()) result.stopped = std::move(why);
      return result;
    }
  }
  // A saved search holds one exploration only.
  if (reduce.merge && !bounds.files.save && !bounds.files.resume) {
    run_result result = exploration_in_turns(run, bounds, reduce).result();
    if (result.stopped.reason != stop_reason::first_violation || !result.violations.empty())
      return result;
    // What was seen first could not be shown: goes on to the next violation.
    limits further = bounds;
    further.first = false;
    return exploration_in_turns(run, further, reduce).result();
  }
  simt::lane_automaton lanes(run.lanes(), reduce.merge);
  return explore_in_rounds(run, run.lanes(), lanes, bounds, reduce);
}

/// What the operation graph says.
void add_progress(session& run, const limits& bounds, verdict_set wanted, run_result& result) {
  progress_result found;
  try {
    found = check_progress(run, bounds, wanted, false);
  } catch (const simt::lane_runaway& runaway) {
    found.stopped = {reason_of(runaway), text_of(run, runaway)};
  } catch (const simt::lane_error& error) {
    throw misuse(run, error);
  }
  result.progress = found.answers;
  if (result.states == 0) {
    result.states = found.states;
    result.transitions = found.transitions;
    result.device_runs = run.lanes().runs();
  }
  result.peak_bytes = std::max(result.peak_bytes, found.bytes);
  for (violation& v : found.violations) result.violations.push_back(std::move(v));
  std::ranges::stable_sort(result.violations, {}, &violation::kind);
  if (result.stopped.empty()) result.stopped = found.stopped;
  result.settle_verdict();
  result.seconds = bounds.seconds();
}

limits small_part_of(const limits& bounds) {
  limits small = part_of(bounds, plain_seconds);
  small.max_states =
      std::min<std::uint64_t>(bounds.max_states.value_or(plain_states), plain_states);
  return small;
}

/// For an exploration with promises: what is looked for without them comes behind it, and belongs
/// to the same time.
limits with_time_for_a_small_part(const limits& bounds) {
  constexpr double share = 0.25;
  limits most = bounds;
  if (bounds.time) most.spent += std::min(plain_seconds, share * *bounds.time);
  return most;
}

/// As much of an exploration as costs little.
limits first_part_of(const session& run, const limits& bounds) {
  const std::uint64_t lanes = run.setup().grid.threads();
  const std::uint64_t few =
      std::max<std::uint64_t>(bounds.before_weaker_fences / (lanes * lanes), 1);
  limits part = bounds;
  part.max_states = std::min(bounds.max_states.value_or(few), few);
  return part;
}

/// Where memory is weak: counterexamples without promises, of the violations that have such; and
/// violations that were not come to with promises.
void do_without_promises(const session& run, const limits& bounds, const reductions& reduce,
                         run_result& result) {
  run_settings how = run.settings();
  how.machine.promises = false;
  session simple(run.subject(), how, run.waiting());
  simple.facts().learn(run.facts().now());  // choices mean the same then
  const run_result plain = explore_reduced(simple, small_part_of(bounds), reduce);
  if (simple.facts().now() != run.facts().now()) {
    if (!result.violations.empty()) return;
    run.facts().learn(simple.facts().now());
  }
  for (violation& v : result.violations) {
    const auto same = std::ranges::find(plain.violations, v.kind, &violation::kind);
    if (same != plain.violations.end()) v = *same;
  }
  add_kinds(plain.violations, result);
  result.forbidden_executions += plain.forbidden_executions;
  result.seconds += plain.seconds;
}

/// Ends each execution at its first race, or other step that ends the run. If memory is weak and
/// the exploration was stopped, not all may have been known of the program. So such a step may come
/// before the violation that was seen, and is the violation then.
void end_where_they_end(session& run, const limits& bounds, run_result& result) {
  const limits small = small_part_of(bounds);
  std::vector<violation> all = std::move(result.violations);
  result.violations.clear();
  for (violation& v : all) {
    session other(run.subject(), run.settings(), run.waiting());
    other.facts().learn(run.facts().now());
    auto end = followed(other, v, small);
    if (!end || end->how.prefix.size() >= v.how.prefix.size()) {
      result.violations.push_back(std::move(v));
      continue;
    }
    if ((bit(end->kind) & searched_for(run)) == 0) continue;
    if (is_forbidden(other.machine(), end->how)) {
      ++result.forbidden_executions;
      continue;
    }
    run.facts().learn(other.facts().now());  // choices mean the same then
    result.violations.assign(1, std::move(*end));
    break;
  }
  result.settle_verdict();
}

/// The violations with counterexamples that are as short as can be: those of the plain exploration,
/// where that is small. (Reductions prefer some orders of steps, not short ways.)
/// Whether it has come to them.
bool shorten(session& run, const limits& bounds, const reductions& reduce, run_result& result) {
  if (bounds.is_over()) return false;
  const limits small = small_part_of(bounds);
  run_result plain = explore_reduced(run, small, reductions::none());
  if (!plain.complete) return false;
  if (result.complete && plain.found() != result.found()) {
    throw std::logic_error(
        fmt::format("{}: the reductions ({}) change what is found: {:#x}, without them {:#x}",
                    run.subject().subject, to_text(reduce), result.found(), plain.found()));
  }
  result.seconds += plain.seconds;
  if (plain.found() != result.found()) return false;
  result.violations = std::move(plain.violations);
  return true;
}

/// Looks at the first states of the plain exploration, where the reductions have found nothing. A
/// wrong `ok` is the worst defect, and this much costs milliseconds. Throws std::logic_error if
/// there is a violation.
void doubt(const session& run, const limits& bounds, const reductions& reduce) {
  constexpr std::uint64_t few_states = 1'000;
  constexpr double few_seconds = 0.02;
  session fresh(run.subject(), run.settings(), run.waiting());
  limits few = part_of(bounds, few_seconds);
  few.max_states = std::min(bounds.max_states.value_or(few_states), few_states);
  few.threads = 1;
  const run_result plain = explore_reduced(fresh, few, reductions::none());
  const bool has_all_steps = plain.complete && !fresh.leaves_masks_out();
  for (const violation& v : plain.violations) {
    if (!has_all_steps && (bit(v.kind) & rest_on_all_steps) != 0) continue;
    throw std::logic_error(fmt::format("{}: the reductions ({}) find nothing; without them: {}",
                                       run.subject().subject, to_text(reduce), name(v.kind)));
  }
}

/// What several threads learn in rounds that do not count depends on who came first, and so may the
/// counterexamples that the last round leads to. One thread comes to the same ones each time.
void find_again_alone(const session& run, const limits& bounds, const reductions& reduce,
                      run_result& result) {
  limits alone = bounds;
  alone.threads = 1;
  alone.files = {};
  session fresh(run.subject(), run.settings(), run.waiting());
  run_result found = explore_reduced(fresh, alone, reduce);
  if (found.found() == result.found()) result.violations = std::move(found.violations);
  result.seconds = found.seconds;
}

}  // namespace

reductions tolerated(const session& run, reductions wanted) {
  // A history names the clients: lanes that change places would change it.
  if (run.object().monitor != nullptr) wanted.symmetry = false;
  // The subject knows a block's place in its cluster, so blocks may not change places either.
  if (run.subject().grid.cluster > 1) wanted.symmetry = false;
  // Of clients that never end, every state would be dead.
  if (run.subject().never_ends()) wanted.dead = false;
  // Of an agent's copies the others know nothing: docs/reductions.md, "Asynchronous copies".
  // (Where agents wait at gates, steps run ahead: docs/kernels.md, "Bulk copies".)
  if (run.setup().grid.copies) {
    wanted.symmetry = wanted.dead = false;
    wanted.order = wanted.order && simt::gates_copies(*run.setup().library);
  }
  // Made for one memory, in which a place has one value at a time.
  if (!run.traits_of_memory().is_image) wanted.dead = false;
  return wanted;
}

namespace {

/// Where steps are missing, a run that was seen is one; that none leads on is not known.
void admit_missing_masks(run_result& result) {
  std::erase_if(result.violations,
                [](const violation& v) { return (bit(v.kind) & rest_on_all_steps) != 0; });
  if (result.stopped.empty() || !is_of_limit(result.stopped.reason)) {
    result.stopped = {stop_reason::many_at_activemask,
                      "many lanes wait at one activemask: of its possible masks few were tried, "
                      "those of all lanes, of the first and of the last one"};
  }
  result.progress.reset();
  result.settle_verdict();
}

run_result check_run(session& run, const limits& bounds, const reductions& wanted,
                     ranks* all = nullptr);

/// Under `ptx`: `ok` if all is well even with fences that order less than fence.sc.
/// docs/reductions.md, "Weaker fences".
std::optional<run_result> check_with_weaker_fences(session& run, const limits& bounds,
                                                   const reductions& wanted, ranks* all) {
  const bool has_others = run.lanes().meets_other_orders();
  run_settings how = run.settings();
  how.machine.fences = has_others ? simt::sc_fences::acq_rel : simt::sc_fences::through_barriers;
  session weaker(run.subject(), how, run.waiting());
  limits half = bounds;
  half.first = true;
  if (bounds.time) half.spent += (*bounds.time - bounds.spent - bounds.seconds()) / 2;
  run_result found = check_run(weaker, half, wanted, all);
  if (!found.stopped.empty() || found.gravest != verdict::ok) return std::nullopt;
  if (!has_others && weaker.lanes().meets_other_orders()) return std::nullopt;
  return found;
}

/// Of a wide grid: what single runs show. Then an answer matters more than the rest of the graph,
/// of which some is explored, too. Nothing: they show nothing.
std::optional<run_result> explore_behind_a_look(session& run, const limits& bounds,
                                                const reductions& reduce) {
  if (!has_first_look(run) || bounds.files.save || bounds.files.resume) return std::nullopt;
  std::uint64_t forbidden = 0;
  std::vector<violation> seen = first_look(run, bounds, searched_for(run), forbidden);
  if (seen.empty()) return std::nullopt;
  run_result result;
  result.forbidden_executions = forbidden;
  const stop_cause as_seen{stop_reason::single_runs,
                           "stopped soon after single runs had shown a violation"};
  // Under weak memory an exploration knows other facts, with which choices mean other steps.
  if (bounds.first || !run.traits_of_memory().is_image) {
    seen.resize(1);
    result.violations = std::move(seen);
    result.stopped = as_seen;
    result.settle_verdict();
    result.seconds = bounds.seconds();
    return result;
  }
  const bool is_limited = bounds.time || bounds.max_states;
  limits rest = bounds;
  if (!is_limited) {
    const auto threads = static_cast<double>(run.setup().grid.threads());
    rest.time = bounds.spent + bounds.seconds() +
                behind_a_look * std::min(1.0, threads_for_all_of_it / threads);
    rest.grace = grace_behind_a_look;
  }
  result = explore_reduced(run, rest, reduce);
  if (!result.violations.empty() && reduce != reductions::none())
    shorten(run, rest, reduce, result);
  // A kernel's read of memory that no lane has written is reported only if there is no race.
  if (run.subject().kernel && (result.found() & bit(verdict::race)) != 0)
    std::erase_if(seen, [](const violation& v) { return v.kind == verdict::unwritten_read; });
  if (result.complete && !run.leaves_masks_out()) {
    for (const violation& v : seen) {
      if ((result.found() & bit(told_as(v.kind))) == 0)
        throw std::logic_error(fmt::format("{}: a single run shows {}, and exploring all does not",
                                           run.subject().subject, name(v.kind)));
    }
    return result;
  }
  const stop_reason why = result.stopped.reason;
  if (!is_limited && (why == stop_reason::time || why == stop_reason::not_shown)) {
    result.stopped = as_seen;
    result.grows.clear();
  }
  add_kinds(std::move(seen), result);
  return result;
}

/// `all`: as for explore_in_rounds.
run_result check_run(session& run, const limits& bounds, const reductions& wanted, ranks* all) {
  const reductions reduce = tolerated(run, wanted);
  run_result result;
  const simt::facts_are_learnt learning(run.facts());
  if (searched_for(run) == 0) {
    result.settle_verdict();
  } else if (auto seen = all == nullptr || !run.traits_of_memory().is_image
                             ? explore_behind_a_look(run, bounds, reduce)
                             : std::nullopt) {
    result = std::move(*seen);
  } else {
    const bool is_image = run.traits_of_memory().is_image;
    const bool is_twofold = !is_image && run.setup().model.promises;
    const bool is_kept = bounds.files.save || bounds.files.resume;
    const limits most = is_twofold ? with_time_for_a_small_part(bounds) : bounds;
    bool is_done = false;
    const bool has_sc = run.setup().model.fences == simt::sc_fences::as_they_are;
    if (reduce.fences && !is_image && has_sc && !is_kept) {
      limits first = first_part_of(run, most);
      if (all != nullptr) {
        first.threads = 1;
        first.max_states = std::min(*first.max_states, bounds.share_after);
      }
      result = explore_reduced(run, first, reduce);
      is_done = result.stopped.reason != stop_reason::states ||
                result.states >= bounds.max_states.value_or(~std::uint64_t{0});
      if (!is_done && result.violations.empty() && run.lanes().meets_sc()) {
        if (auto found = check_with_weaker_fences(run, bounds, wanted, all)) return *found;
      }
    }
    if (!is_done) result = explore_reduced(run, most, reduce, all);
    if (!is_image) {
      const bool lacks = !result.violations.empty() || !result.stopped.empty();
      if (may_promise(run) && lacks) do_without_promises(run, bounds, reduce, result);
      if (!result.stopped.empty() && has_sc) end_where_they_end(run, bounds, result);
    } else if (!result.violations.empty()) {
      const bool shared =
          all == nullptr && bounds.threads > 1 && result.states > bounds.share_after;
      const bool shortened = reduce != reductions::none() && shorten(run, bounds, reduce, result);
      if (shared && !shortened && result.complete && !bounds.is_over())
        find_again_alone(run, bounds, reduce, result);
    } else if (result.complete && reduce != reductions::none() && all == nullptr && !is_kept &&
               !run.leaves_masks_out() && !bounds.is_over()) {
      doubt(run, bounds, reduce);
    }
  }
  const verdict_set about_progress = run.leaves_masks_out() ? verdict_set{0} : progress_checks(run);
  const bool is_enough = result.stopped.reason == stop_reason::single_runs;
  if (about_progress != 0 && !is_enough && !(bounds.first && !result.violations.empty())) {
    const simt::memory_facts known = run.facts().now();
    add_progress(run, bounds, about_progress, result);
    // What was found before rests on fewer facts: once more, with all.
    if (run.facts().now() != known && searched_for(run) != 0)
      return check_run(run, bounds, wanted, all);
  }
  if (result.stopped.empty()) {
    result.stopped = run.left_out();
    result.settle_verdict();
  }
  if (run.leaves_masks_out()) admit_missing_masks(result);
  return result;
}

}  // namespace

run_result check(session& run, const limits& bounds, const reductions& reduce) {
  return check_run(run, bounds, reduce);
}

bool ranks_can_share(const session& run) {
  // Ranks number the continuations that the host makes between launches differently.
  const bool has_launches = run.setup().entry->next_launch != nullptr;
  return !has_launches && run.object().monitor == nullptr && !run.subject().never_ends() &&
         searched_for(run) != 0;
}

run_result check_on_ranks(ranks& all, session& run, const limits& bounds,
                          const reductions& reduce) {
  const auto end = [&] {
    if (!all.is_lost()) all.from_first({});
  };
  try {
    run_result result = check_run(run, bounds, reduce, &all);
    end();
    return result;
  } catch (const usage_error&) {
    end();
    throw;
  }
}

void follow_check(ranks& all, session& run, const limits& bounds, const reductions& wanted) {
  const reductions reduce = tolerated(run, wanted);
  for (;;) {
    const byte_list told = all.from_first({});
    if (told.empty()) return;
    message_reader in(told);
    run_settings how = run.settings();
    how.machine.fences = static_cast<simt::sc_fences>(in.number());
    std::optional<session> weaker;
    if (how.machine.fences != run.settings().machine.fences)
      weaker.emplace(run.subject(), how, run.waiting());
    session& followed = weaker ? *weaker : run;
    take_over_facts(followed, knowledge_in(in.bytes()).weak);
    const std::unique_ptr<simt::lane_program> program = followed.lanes().another();
    simt::lane_automaton lanes(*program, reduce.merge);
    reduced_machine reduced(followed, lanes, reduce);
    distributed_search(all, followed, reduced, lanes).follow(bounds, [&] {
      return options_of(followed, reduced, {reduce, 0, 0});
    });
  }
}

}  // namespace warpcheck
