// The whole graph of a run as the oracle for proofs that states are dead.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "checker/explore/explorer.hpp"
#include "checker/liveness/no_end_proof.hpp"
#include "checker/run/session.hpp"

namespace test {

/// What one way to prove did.
struct proof_tally {
  std::uint64_t proved = 0;
  std::uint64_t wrong = 0;
  double seconds_proved = 0;
  double seconds_not_proved = 0;
  double worst = 0;

  proof_tally& operator+=(const proof_tally& other) {
    proved += other.proved;
    wrong += other.wrong;
    seconds_proved += other.seconds_proved;
    seconds_not_proved += other.seconds_not_proved;
    worst = std::max(worst, other.worst);
    return *this;
  }
  [[nodiscard]] std::string text(std::uint64_t states) const {
    const auto mean = [](double seconds, std::uint64_t n) {
      return 1e6 * seconds / static_cast<double>(std::max<std::uint64_t>(n, 1));
    };
    return fmt::format(
        "{} proved, {} wrongly; {:.1f} us for a proof, {:.1f} for none, worst {:.0f}", proved,
        wrong, mean(seconds_proved, proved), mean(seconds_not_proved, states - proved),
        1e6 * worst);
  }
};

struct proof_counts {
  std::uint64_t runs = 0;
  std::uint64_t too_large = 0;
  std::uint64_t states = 0;
  std::uint64_t dead = 0;  // no end can be reached
  std::uint64_t calm = 0;  // of these: and no race either
  proof_tally known;       // with the answers that lanes have had
  proof_tally any;

  proof_counts& operator+=(const proof_counts& other) {
    runs += other.runs;
    too_large += other.too_large;
    states += other.states;
    dead += other.dead;
    calm += other.calm;
    known += other.known;
    any += other.any;
    return *this;
  }
  [[nodiscard]] std::string text() const {
    return fmt::format(
        "{} runs, {} too large, {} states, {} dead, {} of them without races; known answers: {}; "
        "any answers: {}",
        runs, too_large, states, dead, calm, known.text(states), any.text(states));
  }
};

/// Explores all of a run, without reductions, and asks for a proof of each state.
inline proof_counts check_proofs(const warpcheck::scenario& what,
                                 const warpcheck::run_settings& how, std::uint64_t max_states) {
  proof_counts counts;
  counts.runs = 1;
  warpcheck::session run(what, how);
  if (run.setup().grid.copies) return counts;  // there are no proofs of agents
  simt::machine& machine = run.machine();
  warpcheck::limits bounds;
  bounds.max_states = max_states;
  warpcheck::explorer search(machine, {.fairness = how.fairness}, bounds);
  const simt::state_words root = machine.initial();
  search.run({&root, 1});
  if (!search.complete()) {
    counts.too_large = 1;
    return counts;
  }
  const auto& states = search.states();
  counts.states = states.size();

  // Dead states from which a race can be reached.
  std::vector<warpcheck::state_id> dead;
  for (warpcheck::state_id s = 0; s < states.size(); ++s) {
    if (!search.can_end(s)) dead.push_back(s);
  }
  std::vector<char> races(states.size(), 0);
  std::vector<std::vector<warpcheck::state_id>> from(states.size());  // predecessors
  std::vector<warpcheck::state_id> open;
  simt::successor_list list;
  for (const warpcheck::state_id s : dead) {
    const simt::state_words state = states.read(s);
    machine.successors(state, list);
    for (const simt::transition& t : list.transitions) {
      from[states.find(list.state(t, machine.words()))].push_back(s);
    }
    if (!search.checks().has_race(state)) continue;
    races[s] = 1;
    open.push_back(s);
  }
  while (!open.empty()) {
    const warpcheck::state_id s = open.back();
    open.pop_back();
    for (const warpcheck::state_id before : from[s]) {
      if (races[before] == 0) open.push_back(before);
      races[before] = 1;
    }
  }
  counts.dead = dead.size();
  counts.calm = static_cast<std::size_t>(
      std::ranges::count_if(dead, [&](warpcheck::state_id s) { return races[s] == 0; }));

  using answers = warpcheck::no_end_proof::answers;
  for (const answers use : {answers::known, answers::any}) {
    warpcheck::no_end_proof proof(machine, use);
    proof_tally& tally = use == answers::known ? counts.known : counts.any;
    for (warpcheck::state_id s = 0; s < states.size(); ++s) {
      const auto start = std::chrono::steady_clock::now();
      const bool proved = proof.proves(states.read(s));
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      tally.worst = std::max(tally.worst, spent.count());
      (proved ? tally.seconds_proved : tally.seconds_not_proved) += spent.count();
      if (!proved) continue;
      ++tally.proved;
      const bool right = search.is_closed(s) && !search.can_end(s) && races[s] == 0;
      if (!right) ++tally.wrong;
    }
    CHECK(tally.wrong == 0);
  }
  return counts;
}

}  // namespace test
