// Explores a run's operation graph and asks it for each claim and violation; makes executions of
// the answers.
#include "checker/claims/check_progress.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/claims/build_graph.hpp"
#include "checker/claims/questions.hpp"
#include "checker/claims/step_bounds.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/explore/lasso.hpp"
#include "checker/explore/rehearsal.hpp"
#include "sim/machine/its_machine.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t quiet_walks = 8;
constexpr std::size_t steps_of_a_walk = 64;  // for each lane

const stop_cause strongly_fair{
    stop_reason::strong_fairness,
    "of operations that is known for weak fairness only; leave fairness = \"strong\" out"};
const stop_cause clients_end{stop_reason::clients_end, "its clients end: use repeat = \"forever\""};
const stop_cause clients_without_bound{
    stop_reason::clients_end, "its clients end: use repeat = \"forever\", or give a step_bound"};

simt::machine_setup without_history(const session& run) {
  simt::machine_setup setup = run.setup();
  setup.monitor = nullptr;
  setup.has_points = false;
  return setup;
}

/// The machine that replays counterexamples, without a monitor of histories.
struct plain_machine {
  simt::lane_automaton lanes;
  simt::machine_stores stores;
  std::unique_ptr<simt::machine> machine;

  explicit plain_machine(session& run)
      : lanes(run.lanes(), false),
        stores(lanes),
        machine(simt::make_machine(without_history(run), stores)) {}
};

class progress_check {
 public:
  progress_check(session& run, const limits& bounds, verdict_set wanted, bool all)
      : run_(run),
        bounds_(bounds),
        wanted_(wanted),
        all_(all),
        never_ends_(run.subject().never_ends()),
        lanes_(run.lanes(), true),
        stores_(lanes_) {}

  progress_result run() {
    const asked_in_time patience(stores_.program, bounds_);
    try {
      ask_all();
    } catch (const simt::lane_automaton::given_up&) {
      if (result_.stopped.empty()) result_.stopped = bounds_.reached(0);
      if (result_.answers.missing.empty()) result_.answers.missing = result_.stopped;
    }
    std::ranges::sort(result_.violations, {}, &violation::kind);
    return std::move(result_);
  }

 private:
  session& run_;
  const limits& bounds_;
  verdict_set wanted_;
  bool all_;
  bool never_ends_;
  simt::lane_automaton lanes_;
  simt::machine_stores stores_;
  std::unique_ptr<simt::machine> machine_;
  std::optional<graph_builder> builder_;
  std::optional<progress_questions> questions_;
  std::unique_ptr<plain_machine> plain_;
  progress_result result_;
  stop_cause missing_;  // why not everything was explored
  std::uint64_t walks_ = 0;

  overtime more_{bounds_};  // the time for questions

  void look() {
    if (more_.is_over()) throw simt::lane_automaton::given_up{};
  }
  [[nodiscard]] const operation_graph& graph() const { return builder_->graph(); }
  [[nodiscard]] bool complete() const { return missing_.empty(); }
  [[nodiscard]] bool wants(verdict v) const { return (wanted_ & bit(v)) != 0; }

  [[nodiscard]] operation_span span() const {
    return never_ends_ || !run_.subject().threads.empty() ? operation_span::events
                                                          : operation_span::body;
  }

  /// Explores again and again, until no class of continuations falls apart.
  void explore() {
    for (;;) {
      machine_ = simt::make_machine(without_history(run_), stores_);
      builder_.emplace(*machine_, span(), bounds_);
      bool has_more = false;
      unless_void(*machine_, [&] {
        const simt::state_words root = machine_->initial();
        builder_->run({&root, 1});
        missing_ = builder_->stopped();
        has_more = complete() && machine_->learn_telling(true);
      });
      const bool is_void = machine_->has_news();
      if (!is_void && !has_more) return;
      if (is_void) rehearse();
    }
  }

  /// Takes walks until several in a row show nothing new. Single walks learn faster than
  /// explorations that begin anew each time.
  void rehearse() {
    const std::size_t steps = steps_of_a_walk * run_.setup().grid.threads();
    for (std::uint64_t quiet = 0; quiet < quiet_walks;) {
      machine_ = simt::make_machine(without_history(run_), stores_);
      unless_void(*machine_, [&] {
        for (; quiet < quiet_walks && !machine_->has_news() && !bounds_.is_over(); ++quiet) {
          walk(*machine_, ++walks_, steps, bounds_);
        }
      });
      if (bounds_.is_over()) return;
      if (machine_->has_news()) quiet = 0;
    }
  }

  void ask_all() {
    explore();
    result_.states = graph().size();
    result_.transitions = graph().edges.size();
    result_.bytes = builder_->memory();
    if (complete()) missing_ = run_.left_out();
    result_.stopped = missing_;
    questions_.emplace(graph(), [this] { look(); });
    ask_claim();
    ask_bound();
    ask_starvation();
    if (never_ends_ && complete()) {
      ask_livelock();
      ask_deadlock();
    }
  }

  void ask_claim() {
    const auto claim = run_.subject().claims;
    for (const guarantee g : {guarantee::wait_free, guarantee::lock_free,
                              guarantee::obstruction_free, guarantee::blocking}) {
      const bool claimed = claim == g && wants(verdict::progress_violated);
      if (!claimed && !all_) continue;
      if (g == guarantee::blocking && is_strong()) {
        lacks(claimed, "deadlock-free", strongly_fair);
        continue;
      }
      auto broken = questions_->breaks(g);
      // Clients that end cannot complete operations for ever, so their cycles do not tell.
      const bool decided = complete() && (never_ends_ || g != guarantee::wait_free);
      result_.answers[g] = broken    ? decision::fails
                           : decided ? decision::holds
                                     : decision::undecided;
      if (!broken && !decided) lacks(claimed, "wait-free", clients_without_bound);
      if (broken && claimed) add(verdict::progress_violated, *broken, {});
    }
  }

  // --- the steps of single operations ---

  [[nodiscard]] std::string name_of(std::optional<std::uint32_t> operation) const {
    const simt::detail::subject_entry& entry = *run_.setup().entry;
    if (!operation) return "body";
    return entry.operations == nullptr ? entry.workload : entry.operations[*operation].name;
  }

  /// The operations that are called, and who calls them.
  [[nodiscard]] std::map<std::string, std::vector<counted_operation>> counted() const {
    std::map<std::string, std::vector<counted_operation>> all;
    const auto add = [&](counted_operation one) {
      auto& list = all[name_of(one.operation)];
      const auto same = [&](const counted_operation& other) {
        return other.client == one.client && other.operation == one.operation;
      };
      if (std::ranges::none_of(list, same)) list.push_back(one);
    };
    for (std::uint32_t c = 0; span() == operation_span::body && c < graph().clients(); ++c) {
      if (graph().status(0).left[c] != 0) add({c});
    }
    for (const graph_step& step : graph().steps) {
      for (const graph_call& call : step.calls) add({call.client, call.operation});
    }
    return all;
  }

  /// What is beyond a bound is shown unless a claim is broken already. A bound that holds for all
  /// operations makes them wait-free, also where clients end.
  void ask_bound() {
    const step_bounds& bounds = run_.subject().bounds;
    const bool asked = !bounds.empty() && wants(verdict::progress_violated);
    if (!asked && !all_) return;
    step_counts counts(graph(), questions_->runs());
    std::optional<graph_lasso> nearest;
    bool is_total = true;
    for (const auto& [operation, who] : counted()) {
      const auto bound = asked ? bounds.of(operation) : std::nullopt;
      is_total = is_total && bound;
      if (!bound && !all_) continue;
      for (const counted_operation& one : who) {
        if (!bound) continue;
        auto found = counts.beyond(one, *bound);
        if (found && (!nearest || found->prefix.size() < nearest->prefix.size())) nearest = found;
      }
      if (complete() && !nearest) result_.answers.steps.push_back(most(counts, operation, who));
    }
    if (nearest) {
      const bool is_shown = std::ranges::any_of(result_.violations, [](const violation& v) {
        return v.kind == verdict::progress_violated;
      });
      if (!is_shown) add(verdict::progress_violated, *nearest, {});
    } else if (asked && is_total && complete()) {
      settle_wait_free();
    }
  }

  static operation_steps most(step_counts& counts, const std::string& operation,
                              const std::vector<counted_operation>& who) {
    operation_steps result{operation, 0};
    for (const counted_operation& one : who) {
      const auto steps = counts.most(one);
      if (!steps) return {operation, std::nullopt};
      result.most = std::max(*result.most, *steps);
    }
    return result;
  }

  void settle_wait_free() {
    decision& answer = result_.answers[guarantee::wait_free];
    if (answer != decision::undecided) return;
    answer = decision::holds;
    if (result_.stopped.reason == stop_reason::clients_end) result_.stopped = {};
    if (result_.answers.missing == clients_without_bound.text) result_.answers.missing.clear();
  }

  void ask_starvation() {
    if (!wants(verdict::starvation) && !all_) return;
    if (is_strong()) return lacks(wants(verdict::starvation), "free of starvation", strongly_fair);
    auto found = questions_->starvation();
    const bool decided = complete() && never_ends_;
    result_.answers.starvation_free = found     ? decision::fails
                                      : decided ? decision::holds
                                                : decision::undecided;
    if (!found && !decided) {
      lacks(wants(verdict::starvation), "free of starvation", clients_end);
    }
    if (found && wants(verdict::starvation)) add(verdict::starvation, *found, {});
  }

  /// Questions about fair runs are answered for weak fairness only.
  [[nodiscard]] bool is_strong() const {
    return run_.settings().fairness == simt::fairness::strong;
  }

  void lacks(bool asked, std::string_view what, const stop_cause& why) {
    result_.answers.missing = complete() ? why : missing_;
    if (!asked || !result_.stopped.empty()) return;
    result_.stopped = {why.reason,
                       fmt::format("whether it is {} is not decided: {}", what, why.text)};
  }

  void ask_livelock() {
    if (!wants(verdict::livelock)) return;
    if (is_strong()) return lacks(true, "free of livelocks", strongly_fair);
    if (auto found = questions_->livelock()) add(verdict::livelock, *found, {});
  }

  // --- deadlocks of clients that never end: some can complete no operation any more ---

  [[nodiscard]] std::vector<std::uint32_t> stuck_clients(state_id s) {
    std::vector<std::uint32_t> stuck;
    for (std::uint32_t client = 0; client < graph().clients(); ++client) {
      const bool left = graph().status(s).left[client] != 0;
      if (left && !questions_->can_complete(client, s)) stuck.push_back(client);
    }
    return stuck;
  }

  void ask_deadlock() {
    if ((wanted_ & deadlocks) == 0) return;
    std::vector<state_id> dead;
    for (state_id s = 0; s < graph().size(); ++s) {
      look();
      if (!graph().status(s).promised && !stuck_clients(s).empty()) dead.push_back(s);
    }
    if (dead.empty()) return;
    if (!machine_->has_stacks()) {
      if (wants(verdict::deadlock)) add_deadlock(verdict::deadlock, dead);
      return;
    }
    if (judge_by_its(dead)) return;
    // New knowledge may tell apart states that were one state.
    result_ = {};
    ask_all();
  }

  /// Finds out which dead states are due to reconvergence: with independent scheduling, all stuck
  /// clients could go on. False: something was learnt of the program, and what was found is void.
  bool judge_by_its(const std::vector<state_id>& dead) {
    simt::machine_setup setup = without_history(run_);
    setup.model.reconvergence = simt::reconvergence::its;
    simt::its_machine its(setup, stores_);
    graph_builder builder(its, span(), bounds_);
    std::vector<simt::state_words> roots;
    unless_void(its, [&] {
      for (const state_id s : dead) roots.push_back(its.adopt(builder_->state(s)));
      builder.run(roots);
    });
    result_.bytes += builder.memory();
    if (its.has_news()) return false;
    if (builder.stopped().empty()) {
      judge(dead, roots, builder);
    } else {
      result_.stopped = {
          builder.stopped().reason,
          fmt::format(
              "whether a deadlock could end under independent scheduling is not decided: {}",
              builder.stopped().text)};
    }
    return true;
  }

  void judge(const std::vector<state_id>& dead, const std::vector<simt::state_words>& roots,
             const graph_builder& builder) {
    progress_questions its(builder.graph(), [this] { look(); });
    std::map<verdict, std::vector<state_id>> of_kind;
    for (std::size_t i = 0; i < dead.size(); ++i) {
      look();
      const state_id adopted = builder.number(roots[i]);
      const std::vector<std::uint32_t> stuck = stuck_clients(dead[i]);
      const bool released = std::ranges::all_of(
          stuck, [&](std::uint32_t client) { return its.can_complete(client, adopted); });
      of_kind[released ? verdict::simt_deadlock : verdict::deadlock].push_back(dead[i]);
    }
    for (const auto& [kind, states] : of_kind) {
      if (wants(kind)) add_deadlock(kind, states);
    }
  }

  /// Reports the nearest of the states in which the most clients are stuck.
  void add_deadlock(verdict kind, const std::vector<state_id>& states) {
    const state_id s = *std::ranges::max_element(
        states, {}, [&](state_id one) { return stuck_clients(one).size(); });
    std::vector<std::string> stuck;
    for (const std::uint32_t client : stuck_clients(s)) {
      stuck.push_back(simt::lane_name(client, run_.setup().grid));
    }
    add(kind, questions_->way(s),
        fmt::format("{} can never complete an operation again", fmt::join(stuck, " and ")));
  }

  // --- executions ---

  void add(verdict kind, const graph_lasso& lasso, std::string detail) {
    if (!plain_) plain_ = std::make_unique<plain_machine>(run_);
    const asked_in_time patience(plain_->lanes, more_);
    violation v{kind, {}, std::move(detail)};
    for (const std::uint64_t e : lasso.prefix) v.how.prefix.push_back(choice_of(e));
    for (const std::uint64_t e : lasso.cycle) v.how.cycle.push_back(choice_of(e));
    if ((bit(kind) & deadlocks) != 0) {
      const std::vector<simt::choice> there = v.how.prefix;
      do {  // repeat with what was learnt
        plain_->machine->begin_again();
        v.how.prefix = there;
        v.how.cycle = cycle_by_turns(*plain_->machine, state_after(there), v.how.prefix);
      } while (plain_->machine->has_news());
    }
    settle_cycle(*plain_->machine, v.how);
    result_.violations.push_back(std::move(v));
  }

  [[nodiscard]] simt::choice choice_of(std::uint64_t edge) const {
    return graph().steps[graph().edges[edge].step].by;
  }

  simt::state_words state_after(const std::vector<simt::choice>& choices) {
    simt::replay run(*plain_->machine);
    for (const simt::choice& c : choices) {
      if (!run.follow(c)) break;
    }
    return run.state();
  }
};

}  // namespace

verdict_set progress_checks(const session& run) {
  const verdict_set always = bit(verdict::starvation) | bit(verdict::progress_violated);
  const verdict_set endless = run.subject().never_ends() ? deadlocks | bit(verdict::livelock) : 0;
  verdict_set asked = static_cast<verdict_set>(run.settings().check & (always | endless));
  if (!run.subject().claims_progress())
    asked &= static_cast<verdict_set>(~bit(verdict::progress_violated));
  return asked;
}

progress_result check_progress(session& run, const limits& bounds, verdict_set wanted, bool all) {
  return progress_check(run, bounds, wanted, all).run();
}

}  // namespace warpcheck
