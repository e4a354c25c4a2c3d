// Whether the machine can carry out a counterexample, and comes to what it claims.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "checker/explore/result.hpp"
#include "checker/explore/session.hpp"

namespace test {

/// Why an execution does not show a violation when the machine follows it; empty: it does.
inline std::string objection(warpcheck::session& run, const warpcheck::violation& v) {
  simt::machine& machine = run.machine();
  simt::state_words state = machine.initial();
  simt::state_words begin_of_cycle;
  simt::successor_list list;
  simt::ending ends = simt::ending::none;
  std::vector<simt::choice> choices = v.how.prefix;
  choices.insert(choices.end(), v.how.cycle.begin(), v.how.cycle.end());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i == v.how.prefix.size()) begin_of_cycle = state;
    if (ends != simt::ending::none) return "it goes on behind its end";
    machine.steps(state, list);
    const auto t = std::ranges::find(list.transitions, choices[i], &simt::transition::by);
    if (t == list.transitions.end()) return fmt::format("choice {} cannot happen", i + 1);
    ends = t->ends;
    if (ends != simt::ending::none) continue;
    const auto next = list.state(*t, machine.words());
    state.assign(next.begin(), next.end());
  }
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
    case warpcheck::verdict::livelock: return v.how.cycle.empty() ? "no cycle" : "";
    case warpcheck::verdict::assertion:
      return ends == simt::ending::assertion || machine.is_complete(state) ? "" : "no assertion";
    case warpcheck::verdict::barrier_divergence:
      if (ends == simt::ending::barrier_divergence) return "";
      machine.steps(state, list);
      return list.here == simt::ending::barrier_divergence ? "" : "no divergence";
    default:
      return ends == simt::ending::none || v.kind == warpcheck::verdict::race ? "" : "it ends";
  }
}

}  // namespace test
