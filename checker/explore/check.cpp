#include "checker/explore/check.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "checker/explore/counterexample.hpp"
#include "checker/explore/end_search.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/lasso.hpp"
#include "checker/explore/rehearsal.hpp"
#include "checker/report/place.hpp"
#include "sim/machine/its_machine.hpp"

namespace warpcheck {
namespace {

// States beyond which it pays to learn by walking, before all of them are explored again.
constexpr std::uint64_t worth_rehearsing = 200;
// So many walks in a row that show nothing new end that: at least, and for as many states explored.
constexpr std::uint64_t quiet_walks = 4;
constexpr std::uint64_t states_for_a_walk = 500;
// How much of a plain exploration short counterexamples are worth.
constexpr std::uint64_t plain_states = 20'000;
constexpr double plain_seconds = 1;
constexpr std::size_t steps_of_a_walk = 32;  // for each lane

simt::machine_setup under_its(const session& run) {
  simt::machine_setup setup = run.setup();
  setup.model.reconvergence = simt::reconvergence::its;
  return setup;
}

/// The machine that is explored: with classes of lanes, and with what has been learnt of symmetry.
struct reduced_machine {
  simt::machine_stores stores;
  simt::grid_places places;
  simt::symmetry moves;
  simt::symmetry its_moves;  // under independent scheduling, to judge deadlocks
  simt::renaming renames;
  std::optional<simt::footprints> reaches;
  bool trust_lockstep = true;
  bool may_rename = true;
  std::unique_ptr<simt::machine> machine;

  reduced_machine(const session& run, simt::lane_automaton& lanes, const reductions& reduce)
      : stores(lanes),
        places(run.setup().grid),
        moves(places, reduce.symmetry, has_stacks(run) ? &stores.stacks : nullptr),
        its_moves(places, reduce.symmetry, nullptr),
        renames(moves) {
    if (!reduce.order) return;
    reaches.emplace(static_cast<std::uint32_t>(run.memory().initial_image().size() / 8 + 1));
  }

  /// For another thread. What it learns of symmetry, renew() takes over.
  std::unique_ptr<simt::machine> another(const session& run) {
    simt::machine_reductions reduce{.moves = &moves_of_others_.emplace_back(moves),
                                    .trust_lockstep = trust_lockstep};
    if (reaches) reduce.reaches = &*reaches;
    return simt::make_machine(run.setup(), stores, reduce);
  }

  /// Forgets what rests on classes that have been split since. (No machine of another thread is
  /// left.)
  void renew(const session& run) {
    for (const simt::symmetry& other : moves_of_others_) moves.learn_from(other);
    moves_of_others_.clear();
    simt::machine_reductions reduce{.moves = &moves, .trust_lockstep = trust_lockstep};
    if (reaches) reduce.reaches = &*reaches;
    if (moves.on() && may_rename) reduce.renames = &renames;
    machine = simt::make_machine(run.setup(), stores, reduce);
    if (reaches) {
      reaches->clear();
      has_learnt();
    }
    if (reduce.renames != nullptr) renames.renew(*machine);
  }
  /// Whether SIMT deadlocks may be missed.
  [[nodiscard]] bool has_trusted_lockstep() const {
    return trust_lockstep && reaches && !reaches->forbidden();
  }
  /// Whether lanes may touch more than was known.
  bool has_learnt() {
    if (!reaches || reaches->forbidden()) return false;
    std::vector<simt::footprints::own> operations;
    machine->describe_operations(operations);
    return reaches->update(machine->program(), operations);
  }

 private:
  std::deque<simt::symmetry> moves_of_others_;

  static bool has_stacks(const session& run) {
    return run.setup().model.reconvergence == simt::reconvergence::stack;
  }
};

/// Which dead states of a stack machine could end under independent scheduling.
class its_judgement {
 public:
  using answer = end_search::answer;

  its_judgement(const session& run, reduced_machine& reduced, const explorer& stack,
                const limits& bounds)
      : machine_(under_its(run), reduced.stores, {&reduced.its_moves, nullptr}),
        search_(machine_, bounds),
        answers_(stack.states().size(), answer::unknown) {
    reduced.its_moves.tell_apart(reduced.moves.roles());
    std::vector<simt::state_words> proved;
    bool any_proved = false;
    for (state_id s = 0; s < stack.states().size(); ++s) {
      if (!stack.is_closed(s) || stack.can_end(s)) continue;
      const simt::state_words adopted = machine_.adopt(stack.states().read(s));
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
  [[nodiscard]] const std::string& stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t bytes() const { return search_.bytes() + bytes_; }
  /// Behind a state that was proved to be dead, and not explored, there may be deadlocks of the
  /// other kind.
  [[nodiscard]] bool may_have_missed() const { return may_have_missed_; }

 private:
  simt::its_machine machine_;
  end_search search_;
  std::vector<answer> answers_;
  verdict_set kinds_ = 0;
  std::string stopped_;
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
  // scheduling has dead states, too.
  void look_behind(std::vector<simt::state_words> proved, const limits& bounds) {
    if (kinds_ == deadlocks) return;
    may_have_missed_ = has_syncwarp();
    if (may_have_missed_ || proved.empty() || (kinds_ & bit(verdict::deadlock)) != 0) return;
    for (simt::state_words& state : proved) machine_.reduce(state);
    explorer its(machine_, {}, bounds);
    its.run(proved);
    bytes_ = its.peak_bytes();
    may_have_missed_ = its.has_dead_states();
    if (!its.complete()) stopped_ = its.stopped();
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

explore_options options_of(const session& run, reduced_machine& reduced, const reductions& reduce) {
  explore_options options;
  options.progress = run.settings().progress;
  options.check = run.settings().check;
  options.prove_dead = reduce.dead;
  options.final_check = [&](std::span<const std::uint8_t> image) {
    const std::lock_guard lock(reduced.stores.lanes_lock);
    return run.final_check(image);
  };
  // (Renamings are numbered in the order in which they are met, for one machine.)
  if (!reduced.machine->renames()) {
    options.another_machine = [&] { return reduced.another(run); };
  }
  return options;
}

enum class round_end : std::uint8_t {
  counts,
  learnt_more,
  without_proofs,
  without_trust,
  without_names
};

/// Explores once, from the start to the end, and says whether that counts, or must be done again:
/// with what has been learnt of the lanes, without proofs that states are dead, without trust in
/// lockstep, or with lanes that keep their names. Throws partition_split where it turns out that
/// states were taken for alike that are not.
round_end explore(const session& run, reduced_machine& reduced, const reductions& reduce,
                  const limits& bounds, run_result& result) {
  const explore_options options = options_of(run, reduced, reduce);
  simt::machine& machine = *reduced.machine;
  explorer search(machine, options, bounds);
  const auto count = [&] {
    result.states = search.states().size();
    result.transitions = search.transitions();
    result.depth = search.depth();
    result.peak_bytes = std::max(result.peak_bytes, search.peak_bytes());
  };
  try {
    simt::state_words root = machine.initial();
    machine.reduce(root);
    search.run({&root, 1});
    result.stopped = search.stopped();
    if (result.stopped.empty() && reduced.has_learnt()) {
      count();
      return round_end::learnt_more;
    }
    if (search.minds_names()) return round_end::without_names;

    counterexample_request request;
    request.kinds = search.found();
    std::optional<its_judgement> judgement;
    if (search.has_dead_states() && (options.check & deadlocks) != 0) {
      if (!machine.has_stacks()) {
        request.kinds = static_cast<verdict_set>(request.kinds | bit(verdict::deadlock));
      } else {
        judgement.emplace(run, reduced, search, bounds);
        result.peak_bytes = std::max(result.peak_bytes, search.peak_bytes() + judgement->bytes());
        // A state stands for others that only look the same until scheduling is independent.
        if (reduced.moves.learn_from(reduced.its_moves)) throw simt::partition_split{};
        if (result.stopped.empty()) result.stopped = judgement->stopped();
        if (result.stopped.empty() && judgement->may_have_missed() &&
            (options.check & deadlocks & ~judgement->kinds()) != 0) {
          return round_end::without_proofs;
        }
        if (result.stopped.empty() && reduced.has_trusted_lockstep() &&
            judgement->kinds() == bit(verdict::deadlock) &&
            (options.check & bit(verdict::simt_deadlock)) != 0) {
          return round_end::without_trust;
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
    if (result.stopped.empty() && !machine.renames_still_hold()) throw simt::partition_split{};
    if (request.kinds != 0) {
      result.violations = counterexamples(search, search.states().find(root), request);
    }
  } catch (const simt::lane_error&) {
    count();
    throw;
  } catch (const simt::partition_split&) {
    count();
    throw;
  }
  count();
  if (const simt::renaming* names = machine.renaming_of_lanes()) result.renamings = names->size();
  return round_end::counts;
}

/// Walks until several in a row show nothing new: the more, the more states will be explored again.
void rehearse(const session& run, reduced_machine& reduced, std::uint64_t states,
              std::uint64_t& walks) {
  const std::uint64_t enough = std::max(quiet_walks, states / states_for_a_walk);
  for (std::uint64_t quiet = 0; quiet < enough;) {
    try {
      reduced.renew(run);
      for (; quiet < enough; ++quiet) {
        walk(*reduced.machine, ++walks, steps_of_a_walk * run.setup().grid.threads());
      }
    } catch (const simt::partition_split&) {
      quiet = 0;
    }
  }
}

run_result explore_reduced(session& run, const limits& bounds, const reductions& reduce) {
  const auto start = std::chrono::steady_clock::now();
  run_result result;
  simt::lane_automaton lanes(run.lanes(), reduce.merge);
  reduced_machine reduced(run, lanes, reduce);
  limits left = bounds;
  const auto seconds = [&] {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return elapsed.count();
  };
  reductions used = reduce;
  std::uint64_t walks = 0;
  try {
    for (bool done = false; !done;) {
      ++result.rounds;
      if (bounds.time) left.time = *bounds.time - seconds();
      try {
        reduced.renew(run);
        const round_end end = explore(run, reduced, used, left, result);
        if (end == round_end::without_proofs) used.dead = false;
        if (end == round_end::without_trust) reduced.trust_lockstep = false;
        if (end == round_end::without_names) reduced.may_rename = false;
        done = end == round_end::counts;
      } catch (const simt::partition_split&) {
        if (result.states > worth_rehearsing) rehearse(run, reduced, result.states, walks);
        if (bounds.stop != nullptr && bounds.stop->load()) result.stopped = "interrupted";
        if (bounds.time && seconds() > *bounds.time) {
          result.stopped = fmt::format("the limit of {} s is reached", *bounds.time);
        }
        done = !result.stopped.empty();
      }
    }
    for (violation& v : result.violations) settle_cycle(run.machine(), v.how);
  } catch (const simt::lane_runaway& runaway) {
    result.stopped = fmt::format("{}{}", runaway.what(), at_place(run, runaway.pc()));
  } catch (const simt::lane_error& error) {
    throw usage_error(
        fmt::format("{}: {}{}", run.subject().subject, error.what(), at_place(run, error.pc())));
  }
  result.complete = result.stopped.empty();
  result.continuations = lanes.size();
  result.device_runs = run.lanes().runs();
  result.gravest = !result.violations.empty() ? result.violations.front().kind
                   : result.complete          ? verdict::ok
                                              : verdict::inconclusive;
  result.seconds = seconds();
  return result;
}

/// The violations with counterexamples that are as short as can be: those of the plain exploration,
/// where that is small. (Reductions prefer some orders of steps, not short ways.)
void shorten(session& run, const limits& bounds, const reductions& reduce, run_result& result) {
  limits small = bounds;
  small.max_states =
      std::min<std::uint64_t>(bounds.max_states.value_or(plain_states), plain_states);
  small.time = std::min(bounds.time.value_or(plain_seconds), plain_seconds);
  small.progress = nullptr;
  run_result plain = explore_reduced(run, small, reductions::none());
  if (!plain.complete) return;
  if (result.complete && plain.found() != result.found()) {
    throw std::logic_error(
        fmt::format("{}: the reductions ({}) change what is found: {:#x}, without them {:#x}",
                    run.subject().subject, to_text(reduce), result.found(), plain.found()));
  }
  if (plain.found() == result.found()) result.violations = std::move(plain.violations);
  result.seconds += plain.seconds;
}

}  // namespace

run_result check(session& run, const limits& bounds, const reductions& reduce) {
  run_result result = explore_reduced(run, bounds, reduce);
  if (!result.violations.empty() && reduce != reductions::none())
    shorten(run, bounds, reduce, result);
  return result;
}

}  // namespace warpcheck
