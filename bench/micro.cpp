// Measures single operations of the engine. Times are for each call; see bench/README.md.
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/scenario_of.hpp"
#include "checker/run/session.hpp"
#include "checker/states/compressed_table.hpp"
#include "checker/states/machine_shape.hpp"
#include "sim/lane/lane_runner.hpp"

namespace {

using warpcheck::compressed_table;
using warpcheck::session;

// --- the table of states ---

// States as a search meets them: they differ from another one in two words, lanes or memory.
constexpr std::size_t words = 18;   // 16 lanes, memory, status
constexpr std::size_t changed = 4;  // successors of a state
const warpcheck::state_shape shape{words, 16, 2};

/// State `number` of a space of 2^28. As in a search, the halves of a state (state_tree.hpp) are
/// halves of many.
void make_state(std::uint64_t number, std::span<std::uint32_t> state) {
  for (std::size_t i = 0; i < words; ++i) state[i] = 1;
  for (std::size_t i = 0; i < 7; ++i) state[i] = number >> 3 * i & 7;
  state[16] = number >> 21 & 127;
}

/// Interns states `from` to `to` of the same random order, each with three neighbours, as a search
/// does with the successors of a state.
void intern_all(compressed_table& table, std::uint64_t from, std::uint64_t to) {
  compressed_table::cursor here;
  std::vector<std::uint32_t> state(words);
  compressed_table::key keys[changed];
  table.read(0, here);
  for (std::uint64_t i = from; i < to; i += changed) {
    const std::uint64_t number = i * 0x9e3779b97f4a7c15 >> 36;
    for (std::uint64_t k = 0; k < changed; ++k) {
      make_state(number ^ k << 8 * k, state);
      keys[k] = table.key_of(state, here);
      table.prefetch_slot(keys[k]);
    }
    for (auto& k : keys) table.prefetch_record(k);
    for (const auto& k : keys) benchmark::DoNotOptimize(table.intern(k));
  }
}

void first_state(compressed_table& table) {
  std::vector<std::uint32_t> state(words);
  make_state(0, state);
  table.intern(state);
}

/// Items are states; a state has 16 bytes and its part of the index.
void intern_new(benchmark::State& run) {
  const auto count = static_cast<std::uint64_t>(run.range(0));
  for (auto _ : run) {
    compressed_table table(shape);
    first_state(table);
    intern_all(table, 0, count);
    run.counters["bytes/state"] = static_cast<double>(table.memory()) / table.size();
    run.counters["parts"] = static_cast<double>(table.used().shared) / table.size();
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}

void intern_known(benchmark::State& run) {
  const auto count = static_cast<std::uint64_t>(run.range(0));
  compressed_table table(shape);
  first_state(table);
  intern_all(table, 0, count);
  for (auto _ : run) intern_all(table, 0, count);
  run.SetItemsProcessed(run.iterations() * run.range(0));
}

/// The limit of the machine: adds to one word in each of two random lines of the cache, an entry of
/// an index and a record. It works on four items at a time, in an array of `range` states of 22
/// bytes.
void touch_two_lines(benchmark::State& run) {
  const auto count = static_cast<std::uint64_t>(run.range(0));
  const std::size_t lines = count * 22 / 64 + 1;
  std::vector<std::uint64_t> memory(lines * 8);
  std::uint64_t random = 1;
  std::uint64_t at[2 * changed];
  for (auto _ : run) {
    for (std::uint64_t i = 0; i < count; i += changed) {
      for (auto& a : at) {
        random = random * 6364136223846793005 + 1442695040888963407;
        a = (random >> 32) * lines >> 32 << 3;
        __builtin_prefetch(&memory[a]);
      }
      for (const auto a : at) ++memory[a];
    }
    benchmark::ClobberMemory();
  }
  run.SetItemsProcessed(run.iterations() * run.range(0));
}

BENCHMARK(intern_new)->RangeMultiplier(32)->Range(1 << 10, 1 << 25)->Unit(benchmark::kMillisecond);
BENCHMARK(intern_known)
    ->RangeMultiplier(32)
    ->Range(1 << 10, 1 << 25)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(touch_two_lines)
    ->RangeMultiplier(32)
    ->Range(1 << 10, 1 << 25)
    ->Unit(benchmark::kMillisecond);

// --- the machine ---

/// The first states that a breadth-first search meets.
std::vector<simt::state_words> some_states(session& run, std::size_t count) {
  compressed_table table(warpcheck::shape_of(run.machine()));
  table.intern(run.machine().initial());
  simt::successor_list list;
  for (std::uint32_t s = 0; s < table.size() && table.size() < count; ++s) {
    run.machine().successors(table.read(s), list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends == simt::ending::none) table.intern(list.state(t, run.machine().words()));
    }
  }
  std::vector<simt::state_words> states;
  for (std::uint32_t s = 0; s < table.size(); ++s) states.push_back(table.read(s));
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

/// Runs a lane from one visible operation to the next, twice with different poisons.
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

/// Makes a session: the subject is loaded, its memory laid out, the machine built.
void make_session(benchmark::State& run) {
  const auto what = warpcheck::bench::lock_scenario("locks/tas", 5, 2);
  for (auto _ : run) session ready(what, what.runs.front());
}

BENCHMARK(make_session)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
