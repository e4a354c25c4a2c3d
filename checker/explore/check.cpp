#include "checker/explore/check.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "checker/explore/counterexample.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/report/place.hpp"
#include "sim/machine/its_machine.hpp"

namespace warpcheck {
namespace {

constexpr verdict_set deadlocks =
    static_cast<verdict_set>(bit(verdict::deadlock) | bit(verdict::simt_deadlock));

// States that a search for one near end visits, where the whole graph is too large.
constexpr state_id near_states = 20'000;

/// Which dead states of a stack machine could end under independent scheduling.
class its_judgement {
 public:
  its_judgement(session& run, explorer& stack, const limits& bounds)
      : machine_(its_setup(run), run.stores()), explorer_(machine_, {}, bounds), stack_(stack) {
    std::vector<simt::state_words> roots;
    for (state_id s = 0; s < stack.states().size(); ++s) {
      if (stack.is_closed(s) && !stack.can_end(s)) roots.push_back(machine_.adopt(stack.states()[s]));
    }
    explorer_.run(roots);
  }

  enum class answer : std::uint8_t { ends, never_ends, unknown };

  answer of(state_id s) {
    const auto adopted = machine_.adopt(stack_.states()[s]);
    const state_id here = explorer_.states().find(adopted);
    if (here != state_table::none && explorer_.is_closed(here)) {
      return explorer_.can_end(here) ? answer::ends : answer::never_ends;
    }
    const auto [at, is_new] = near_.try_emplace(s, answer::unknown);
    if (is_new && ends_nearby(adopted)) at->second = answer::ends;
    return at->second;
  }

  [[nodiscard]] const explorer& exploration() const { return explorer_; }

 private:
  simt::its_machine machine_;
  explorer explorer_;
  explorer& stack_;
  std::map<state_id, answer> near_;

  /// Breadth-first: finds an end that is near, even where the graph behind it has no bound.
  bool ends_nearby(const simt::state_words& from) {
    state_table seen(machine_.words());
    seen.intern(from);
    simt::successor_list list;
    for (state_id next = 0; next < seen.size() && seen.size() < near_states; ++next) {
      machine_.successors(seen[next], list);
      if (list.here != simt::ending::none || machine_.is_complete(seen[next])) return true;
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none) return true;
        seen.intern(list.state(t, machine_.words()));
      }
    }
    return false;
  }

  static simt::machine_setup its_setup(session& run) {
    simt::machine_setup setup = run.setup();
    setup.model.reconvergence = simt::reconvergence::its;
    return setup;
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
        result.peak_bytes = search.peak_bytes() + judgement->exploration().peak_bytes();
        for (state_id s = 0; s < search.states().size(); ++s) {
          if (!search.is_closed(s) || search.can_end(s)) continue;
          const auto answer = judgement->of(s);
          if (answer == its_judgement::answer::unknown) {
            // Nothing can be said of this state's kind; it is a deadlock of one kind or the other.
            if (result.stopped.empty()) result.stopped = judgement->exploration().stopped();
            continue;
          }
          const verdict kind = answer == its_judgement::answer::ends ? verdict::simt_deadlock
                                                                     : verdict::deadlock;
          request.kinds = static_cast<verdict_set>(request.kinds | bit(kind));
        }
        request.is_simt_deadlock = [&](state_id s) {
          return judgement->of(s) == its_judgement::answer::ends;
        };
      }
      request.kinds = static_cast<verdict_set>(request.kinds & options.check);
    }
    if (request.kinds != 0) {
      result.violations =
          counterexamples(search, search.states().find(root), request);
    }
  } catch (const simt::lane_runaway& runaway) {
    result.stopped = fmt::format("{}{}", runaway.what(), at_place(run, runaway.pc()));
  } catch (const simt::lane_error& error) {
    throw usage_error(fmt::format("{}: {}{}", run.subject().subject, error.what(),
                                  at_place(run, error.pc())));
  }
  close();
  return result;
}

}  // namespace warpcheck
