// Whether the machine can carry out a counterexample, and comes to what it claims.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/walk/replay.hpp"

namespace test {

/// What a cycle does for the units of fairness.
class cycle_fairness {
 public:
  cycle_fairness(warpcheck::session& run, const simt::state_words& begin)
      : machine_(run.machine()),
        strong_(run.settings().fairness == simt::fairness::strong),
        served_(machine_.units(), 0) {
    machine_.list_owed(begin, owed_);
  }

  /// The cycle makes choice `by` in `state`, whose steps are `list`.
  void add(const simt::choice& by, simt::state_view state, const simt::successor_list& list) {
    if (list.is_choice) return;
    std::vector<char> enabled(served_.size(), 0);
    for (const simt::transition& t : list.transitions) {
      machine_.for_each_lane(t.by, state,
                             [&](std::uint32_t lane) { enabled[machine_.unit_of_lane(lane)] = 1; });
    }
    for (std::size_t unit = 0; unit < served_.size(); ++unit) {
      if (enabled[unit] == 0) served_[unit] = 1;
    }
    machine_.for_each_lane(by, state, [&](std::uint32_t lane) {
      const std::uint32_t unit = machine_.unit_of_lane(lane);
      served_[unit] = 1;
      if (strong_ && owed_[unit] == 0) by_others_ = true;
    });
  }

  [[nodiscard]] std::string objection() const {
    if (by_others_) return "somebody who is owed nothing keeps a strongly fair run going";
    for (std::size_t unit = 0; unit < served_.size(); ++unit) {
      if (owed_[unit] != 0 && served_[unit] == 0) {
        return fmt::format("its cycle never serves unit {}, which is owed progress", unit);
      }
    }
    return {};
  }

 private:
  simt::machine& machine_;
  bool strong_;
  bool by_others_ = false;
  std::vector<char> owed_, served_;
};

/// Why an execution does not show a violation when the machine follows it; empty: it does.
inline std::string objection(warpcheck::session& run, const warpcheck::violation& v) {
  simt::machine& machine = run.machine();
  simt::replay so_far(machine);
  simt::state_words begin_of_cycle;
  simt::successor_list all;
  simt::ending ends = simt::ending::none;
  std::vector<simt::choice> choices = v.how.prefix;
  choices.insert(choices.end(), v.how.cycle.begin(), v.how.cycle.end());
  std::optional<cycle_fairness> fair;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i == v.how.prefix.size()) {
      begin_of_cycle = so_far.state();
      fair.emplace(run, begin_of_cycle);
    }
    if (ends != simt::ending::none) return "it goes on behind its end";
    const simt::transition* const t = so_far.find(choices[i]);
    if (t == nullptr) return fmt::format("choice {} cannot happen", i + 1);
    if (fair) {
      machine.steps(so_far.state(), all);
      fair->add(choices[i], so_far.state(), all);
    }
    ends = t->ends;
    if (ends == simt::ending::none) so_far.take(*t);
  }
  const simt::state_words& state = so_far.state();
  if (!begin_of_cycle.empty()) {
    for (std::uint32_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
      if (machine.waits_at(state, lane).pc != machine.waits_at(begin_of_cycle, lane).pc) {
        return "its cycle does not return";
      }
    }
    if (state[machine.memory_word()] != begin_of_cycle[machine.memory_word()]) {
      return "its cycle changes memory";
    }
  }
  switch (v.kind) {
    case warpcheck::verdict::bad_access:
      return ends == simt::ending::bad_access ? "" : "no bad access";
    case warpcheck::verdict::livelock:
      return v.how.cycle.empty() ? std::string("no cycle") : fair->objection();
    case warpcheck::verdict::assertion:
      return ends == simt::ending::assertion || ends == simt::ending::mbarrier_misuse ||
                     machine.is_complete(state)
                 ? ""
                 : "no assertion";
    case warpcheck::verdict::barrier_divergence:
      if (ends == simt::ending::barrier_divergence) return "";
      machine.steps(state, all);
      return all.here == simt::ending::barrier_divergence ? "" : "no divergence";
    default:
      return ends == simt::ending::none || v.kind == warpcheck::verdict::race ? "" : "it ends";
  }
}

}  // namespace test
