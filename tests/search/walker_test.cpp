// A walker against the machine that it follows: random schedules, state by state.
//
// WARPCHECK_COMPARE_SEED and WARPCHECK_COMPARE_COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/run/session.hpp"
#include "sim/machine/walk/walker.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/random.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

constexpr unsigned programs_in_a_header = 250;

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

struct totals {
  std::uint64_t runs = 0, steps = 0, complete = 0, stuck = 0, diverged = 0, races = 0;
  std::map<simt::ending, std::uint64_t> ended;
};

/// All that the walker would do.
std::vector<simt::choice> possible(const simt::walker& walk) {
  using kind = simt::choice::kind;
  std::vector<simt::choice> all;
  if (walk.awaits_choice()) {
    std::vector<std::uint32_t> blocks;
    walk.blocks(blocks);
    for (const std::uint32_t b : blocks) all.push_back({kind::dispatch, b, 0});
    if (!blocks.empty()) return all;
    const auto next = walk.sides();
    for (const std::uint32_t side : next->sides) all.push_back({kind::side, next->warp, side});
    return all;
  }
  if (walk.diverges()) return all;
  for (const std::uint32_t lane : walk.ready()) {
    const std::uint32_t values = walk.values_to_choose(lane);
    if (values == 0) all.push_back({kind::lane, lane, 0});
    for (std::uint32_t value = 0; value < values; ++value) {
      all.push_back({kind::lane, lane, simt::choice::chooses | value});
    }
  }
  for (const auto& j : walk.joint()) {
    if (!j.any_set) {
      all.push_back(j.by);
      continue;
    }
    for (std::uint32_t set = (0U - j.by.mask) & j.by.mask; set != 0;
         set = (set - j.by.mask) & j.by.mask) {
      all.push_back({j.by.what, j.by.unit, set});
    }
  }
  return all;
}

std::string text_of(std::vector<simt::choice> choices, const simt::grid_shape& grid) {
  std::vector<std::string> texts;
  for (const simt::choice& c : choices) texts.push_back(simt::to_text(c, grid));
  std::ranges::sort(texts);
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Where two states differ; empty: nowhere.
std::string difference(const simt::machine& machine, const simt::state_words& walked,
                       const simt::state_words& expected) {
  std::string text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (walked[i] == expected[i]) continue;
    text += fmt::format("word {} is {}, not {}; ", i, walked[i], expected[i]);
    if (i <= machine.status_word()) continue;
    const auto warp = static_cast<std::uint32_t>(i - machine.stack_word(0));
    for (const simt::state_words& s : {walked, expected}) {
      const simt::warp_stack& stack = machine.stack(s, warp);
      text += fmt::format("active {:#x}", stack.active);
      for (const auto& f : stack.frames) {
        text += fmt::format(" ({}, {:#x}, {} sides)", f.block, f.arrived, f.pending.size());
      }
      text += "; ";
    }
  }
  return text;
}

/// Whether two accesses conflict that can be carried out now, one after the other.
bool has_race(simt::machine& machine, simt::state_view state) {
  std::vector<std::uint32_t> lanes;
  if (!machine.accesses(state, lanes)) return false;
  for (const std::uint32_t a : lanes) {
    for (const std::uint32_t b : lanes) {
      if (a < b && machine.conflict(a, state[a], b, state[b])) return true;
    }
  }
  return false;
}

void compare(warpcheck::session& run, simt::walker& walk, std::uint64_t seed, std::size_t most,
             totals& count) {
  simt::machine& machine = run.machine();
  naive::random_source random(seed);
  simt::state_words state = machine.initial();
  simt::successor_list list;
  bool raced = false;
  ++count.runs;
  for (std::size_t i = 0; i < most; ++i) {
    REQUIRE(difference(machine, walk.state(), state) == "");
    machine.steps(state, list);
    REQUIRE(walk.diverges() == (list.here != simt::ending::none));
    REQUIRE(walk.is_complete() == machine.is_complete(state));
    if (walk.diverges()) {
      ++count.diverged;
      return;
    }
    std::vector<simt::choice> expected;
    for (const simt::transition& t : list.transitions) expected.push_back(t.by);
    REQUIRE(text_of(possible(walk), run.setup().grid) == text_of(expected, run.setup().grid));
    REQUIRE((walk.awaits_choice() == list.is_choice || list.transitions.empty()));
    if (!walk.race().has_value()) REQUIRE(!has_race(machine, state));
    if (walk.race().has_value() && !walk.awaits_choice() && !raced) {
      raced = true;
      // It can be carried out here.
      const simt::walker::race_pair pair = *walk.race();
      std::vector<std::uint32_t> lanes;
      machine.accesses(state, lanes);
      REQUIRE(std::ranges::find(lanes, pair.second) != lanes.end());
      if (!pair.begun) {
        REQUIRE(machine.conflict(pair.first, state[pair.first], pair.second, state[pair.second]));
        REQUIRE(std::ranges::find(lanes, pair.first) != lanes.end());
      }
      ++count.races;
    }
    if (expected.empty()) {
      ++(walk.is_complete() ? count.complete : count.stuck);
      return;
    }
    const auto& t =
        list.transitions[static_cast<std::size_t>(random.below(static_cast<int>(expected.size())))];
    REQUIRE(walk.can(t.by));
    const simt::ending ends = walk.perform(t.by);
    REQUIRE(ends == t.ends);
    ++count.steps;
    if (ends != simt::ending::none) {
      ++count.ended[ends];
      return;
    }
    const auto next = list.state(t, machine.words());
    state.assign(next.begin(), next.end());
  }
}

void compare_runs(const warpcheck::scenario& what, const warpcheck::run_settings& how,
                  unsigned runs, std::size_t most, totals& count) {
  warpcheck::session run(what, how);
  if (run.setup().grid.copies) return;  // searches refuse them
  simt::walker walk(run.machine());
  walk.watch_races(true);
  for (unsigned i = 0; i < runs; ++i) {
    CAPTURE(i);
    walk.restart();
    compare(run, walk, i, most, count);
  }
}

std::string name(simt::reconvergence model) {
  return model == simt::reconvergence::stack ? "stack" : "its";
}

}  // namespace

TEST_CASE("a walker does what the machine does: shipped scenarios") {
  totals count;
  for (const auto& file : warpcheck::scenario_files({"scenarios"})) {
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate) continue;
    for (const warpcheck::run_settings& how : what.runs) {
      // Walkers do not look for livelocks, so they do not remember who is owed progress.
      if (how.progress != simt::progress::fair) continue;
      if (how.machine.memory != simt::memory_model::sc) continue;  // no walks there
      if (!test::is_due(file.string() + how.name)) continue;
      INFO(file.string(), " ", name(how.machine.reconvergence));
      compare_runs(what, how, 20, 300, count);
    }
  }
  MESSAGE(count.runs, " runs, ", count.steps, " steps, ", count.complete, " complete, ",
          count.races, " races");
  CHECK(count.complete > 0);
}

TEST_CASE("a walker does what the machine does: generated programs") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 33);
  const auto [begin, programs] =
      test::due_programs(500, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-walker-{}", getpid());
  std::filesystem::create_directories(folder);
  totals count;
  for (unsigned first = begin; first < programs; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, programs - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index);
      warpcheck::scenario what;
      what.file = "generated.toml";
      what.subject = sample.code.name;
      what.source = header;
      what.grid.blocks = number(sample.config.blocks);
      what.grid.lanes.clear();
      for (const int lanes : sample.config.lanes) what.grid.lanes.push_back(number(lanes));
      warpcheck::run_settings how;
      how.machine.resident = number(sample.config.resident);
      how.machine.order =
          sample.config.blocks_in_order ? simt::block_order::index : simt::block_order::any;
      for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
        how.machine.reconvergence = model;
        INFO("seed ", seed, ", program ", index, ", ", name(model),
             " (`naive_tool show` prints it)");
        compare_runs(what, how, 20, 200, count);
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE("seed ", seed, ": ", count.runs, " runs, ", count.steps, " steps, ", count.complete,
          " complete, ", count.stuck, " stuck, ", count.diverged, " diverged, ", count.races,
          " races");
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  for (const auto how : {simt::ending::assertion, simt::ending::barrier_divergence}) {
    CHECK(count.ended[how] > 0);
  }
  CHECK(count.complete > 0);
  CHECK(count.stuck > 0);
  CHECK(count.diverged > 0);
  CHECK(count.races > 0);
}
