// What single operations of the engine cost. Times are a call each; see bench/README.md.
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/scenario_of.hpp"
#include "checker/explore/session.hpp"
#include "checker/explore/state_table.hpp"
#include "sim/lane/lane_runner.hpp"

namespace {

using warpcheck::session;
using warpcheck::state_table;

// --- the table of states ---

constexpr std::size_t words = 7;  // five lanes, memory, status

std::vector<std::uint32_t> random_states(std::size_t count) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> all(count * words);
  for (std::uint32_t& w : all) w = random() % 1024;
  return all;
}

std::span<const std::uint32_t> state(const std::vector<std::uint32_t>& all, std::size_t i) {
  return {all.data() + i * words, words};
}

void intern_new(benchmark::State& run) {
  const auto count = static_cast<std::size_t>(run.range(0));
  const auto all = random_states(count);
  for (auto _ : run) {
    state_table table(words);
    for (std::size_t i = 0; i < count; ++i) benchmark::DoNotOptimize(table.intern(state(all, i)));
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}

void intern_known(benchmark::State& run) {
  const auto count = static_cast<std::size_t>(run.range(0));
  const auto all = random_states(count);
  state_table table(words);
  for (std::size_t i = 0; i < count; ++i) table.intern(state(all, i));
  std::minstd_rand random(2);
  for (auto _ : run) benchmark::DoNotOptimize(table.intern(state(all, random() % count)));
  run.SetItemsProcessed(run.iterations());
}

void find_known(benchmark::State& run) {
  const auto count = static_cast<std::size_t>(run.range(0));
  const auto all = random_states(count);
  state_table table(words);
  for (std::size_t i = 0; i < count; ++i) table.intern(state(all, i));
  std::minstd_rand random(2);
  for (auto _ : run) benchmark::DoNotOptimize(table.find(state(all, random() % count)));
  run.SetItemsProcessed(run.iterations());
}

BENCHMARK(intern_new)->RangeMultiplier(64)->Range(1 << 10, 1 << 22)->Unit(benchmark::kMicrosecond);
BENCHMARK(intern_known)->RangeMultiplier(64)->Range(1 << 10, 1 << 22);
BENCHMARK(find_known)->RangeMultiplier(64)->Range(1 << 10, 1 << 22);

// --- the machine ---

/// The first states that a breadth-first search meets.
std::vector<simt::state_words> some_states(session& run, std::size_t count) {
  state_table table(run.machine().words());
  table.intern(run.machine().initial());
  simt::successor_list list;
  for (std::uint32_t s = 0; s < table.size() && table.size() < count; ++s) {
    run.machine().successors(table[s], list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends == simt::ending::none) table.intern(list.state(t, run.machine().words()));
    }
  }
  std::vector<simt::state_words> states;
  for (std::uint32_t s = 0; s < table.size(); ++s)
    states.emplace_back(table[s].begin(), table[s].end());
  return states;
}

/// Items are transitions. The answers of the C++ are known beforehand.
void successors(benchmark::State& run, const char* subject, std::uint32_t lanes) {
  const auto what = warpcheck::bench::lock_scenario(subject, lanes, 2);
  session ready(what, what.runs.front());
  const auto states = some_states(ready, 4096);
  simt::successor_list list;
  for (const auto& s : states) ready.machine().successors(s, list);
  std::int64_t transitions = 0;
  std::size_t i = 0;
  for (auto _ : run) {
    ready.machine().successors(states[i], list);
    transitions += static_cast<std::int64_t>(list.transitions.size());
    if (++i == states.size()) i = 0;
  }
  run.SetItemsProcessed(transitions);
}

BENCHMARK_CAPTURE(successors, tas, "locks/tas", 5);
BENCHMARK_CAPTURE(successors, ticket, "locks/ticket", 5);

// --- the C++ of a lane ---

/// From one visible operation to the next, run twice with different poisons.
void resume_lane(benchmark::State& run, const char* subject, std::uint64_t answer) {
  const auto what = warpcheck::bench::lock_scenario(subject, 1, 2);
  session ready(what, what.runs.front());
  const simt::machine_setup& setup = ready.setup();
  simt::lane_runner runner(setup.library, *setup.memory, false);
  const simt::lane_image first = runner.start_body(setup.entry->body, setup.repeat);
  for (auto _ : run) benchmark::DoNotOptimize(runner.resume(first, answer));
  run.SetItemsProcessed(run.iterations());
}

BENCHMARK_CAPTURE(resume_lane, tas_goes_on, "locks/tas", 0);
BENCHMARK_CAPTURE(resume_lane, tas_spins, "locks/tas", 1);
BENCHMARK_CAPTURE(resume_lane, ticket, "locks/ticket", 0);

/// A session: the subject loaded, its memory laid out, the machine built.
void make_session(benchmark::State& run) {
  const auto what = warpcheck::bench::lock_scenario("locks/tas", 5, 2);
  for (auto _ : run) session ready(what, what.runs.front());
}

BENCHMARK(make_session)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
