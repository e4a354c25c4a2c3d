#include "checker/explore/check.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "checker/explore/counterexample.hpp"
#include "checker/explore/end_search.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/report/place.hpp"
#include "sim/machine/its_machine.hpp"

namespace warpcheck {
namespace {

simt::machine_setup under_its(const session& run) {
  simt::machine_setup setup = run.setup();
  setup.model.reconvergence = simt::reconvergence::its;
  return setup;
}

/// Which dead states of a stack machine could end under independent scheduling.
class its_judgement {
 public:
  using answer = end_search::answer;

  its_judgement(session& run, const explorer& stack, const limits& bounds)
      : machine_(under_its(run), run.stores()),
        search_(machine_, bounds),
        answers_(stack.states().size(), answer::unknown) {
    for (state_id s = 0; s < stack.states().size(); ++s) {
      if (!stack.is_closed(s) || stack.can_end(s)) continue;
      answers_[s] = search_.from(machine_.adopt(stack.states()[s]));
      kinds_ = static_cast<verdict_set>(kinds_ | kind(answers_[s]));
    }
  }

  [[nodiscard]] answer of(state_id s) const { return answers_[s]; }
  /// The kinds of deadlock that there are.
  [[nodiscard]] verdict_set kinds() const { return kinds_; }
  [[nodiscard]] const end_search& search() const { return search_; }

 private:
  simt::its_machine machine_;
  end_search search_;
  std::vector<answer> answers_;
  verdict_set kinds_ = 0;

  static verdict_set kind(answer a) {
    return a == answer::ends         ? bit(verdict::simt_deadlock)
           : a == answer::never_ends ? bit(verdict::deadlock)
                                     : verdict_set{0};
  }
};

}  // namespace

run_result check(session& run, const limits& bounds) {
  const auto start = std::chrono::steady_clock::now();
  run_result result;
  explore_options options;
  options.progress = run.settings().progress;
  options.check = run.settings().check;
  options.final_check = [&run](std::span<const std::uint8_t> image) {
    return run.final_check(image);
  };
  explorer search(run.machine(), options, bounds);
  const auto close = [&] {
    result.complete = result.stopped.empty();
    result.states = search.states().size();
    result.transitions = search.transitions();
    result.depth = search.depth();
    result.continuations = run.machine().program().size();
    result.device_runs = run.machine().program().runs();
    result.peak_bytes = std::max(result.peak_bytes, search.peak_bytes());
    result.gravest = !result.violations.empty() ? result.violations.front().kind
                     : result.complete          ? verdict::ok
                                                : verdict::inconclusive;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    result.seconds = seconds.count();
  };
  try {
    const simt::state_words root = run.machine().initial();
    search.run({&root, 1});
    result.stopped = search.stopped();

    counterexample_request request;
    request.kinds = search.found();
    std::optional<its_judgement> judgement;
    if (search.has_dead_states() && (options.check & deadlocks) != 0) {
      if (!run.machine().has_stacks()) {
        request.kinds = static_cast<verdict_set>(request.kinds | bit(verdict::deadlock));
      } else {
        judgement.emplace(run, search, bounds);
        result.peak_bytes = search.peak_bytes() + judgement->search().bytes();
        if (result.stopped.empty()) result.stopped = judgement->search().stopped();
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
    if (request.kinds != 0) {
      result.violations = counterexamples(search, search.states().find(root), request);
    }
  } catch (const simt::lane_runaway& runaway) {
    result.stopped = fmt::format("{}{}", runaway.what(), at_place(run, runaway.pc()));
  } catch (const simt::lane_error& error) {
    throw usage_error(
        fmt::format("{}: {}{}", run.subject().subject, error.what(), at_place(run, error.pc())));
  }
  close();
  return result;
}

}  // namespace warpcheck
