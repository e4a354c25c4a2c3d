// Searches without proof where memory is weak: the walker against the machine, and what searches
// find against what explorations do.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/report/report.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/search/search.hpp"
#include "sim/machine/weak/weak_walker.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::run_result;
using warpcheck::search_kind;
using warpcheck::verdict;
using warpcheck::verdict_set;

constexpr search_kind kinds[] = {search_kind::random, search_kind::pct, search_kind::swarm};

warpcheck::search_options options_of(search_kind kind, std::uint64_t runs) {
  warpcheck::search_options options;
  options.kind = kind;
  options.runs = runs;
  return options;
}

/// Calls f(scenario, run) for the shipped runs with memory = "ptx", one of each `share`.
template <class F>
void for_weak_runs(unsigned share, F f) {
  unsigned number = 0;
  for (const auto& file : warpcheck::scenario_files({"scenarios"})) {
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate) continue;
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.machine.memory != simt::memory_model::ptx || number++ % share != 0) continue;
      if (!test::is_due(file.string() + how.name)) continue;
      INFO(file.string(), " ", how.name);
      f(what, how);
    }
  }
}

std::vector<simt::choice> alone(const simt::successor_list& list, std::uint32_t lane,
                                simt::choice::kind kind) {
  std::vector<simt::choice> all;
  for (const simt::transition& t : list.transitions) {
    if (t.by.what == kind && t.by.unit == lane) all.push_back(t.by);
  }
  return all;
}

/// One run by chance; whether the walker has, in each state, what the machine has. Its steps.
/// Nothing, where the machine has learnt something on the way, or promises were given up: one of
/// the two may have made some.
std::optional<std::uint64_t> compare(warpcheck::session& run, simt::weak_walker& walk,
                                     std::uint64_t seed) {
  constexpr std::uint64_t most = 150;
  simt::machine& machine = run.machine();
  const bool gave_up = run.facts().now().gave_up_bursts;
  const auto is_void = [&] {
    return machine.has_news() || run.facts().now().gave_up_bursts != gave_up;
  };
  std::mt19937_64 random(seed);
  simt::successor_list list;
  using kind = simt::choice::kind;
  walk.restart();
  std::uint64_t steps = 0;
  for (; steps < most; ++steps) {
    const simt::state_words here = walk.state();
    machine.steps(here, list);
    if (is_void()) return std::nullopt;
    if (random() % 4 == 0) walk.list_all();
    if (is_void()) return std::nullopt;
    const bool stops = list.transitions.empty();
    REQUIRE(walk.diverges() == (list.here != simt::ending::none));
    REQUIRE(walk.awaits_choice() == list.is_choice);
    for (const simt::transition& t : list.transitions) {
      if (t.by.what == kind::promise) continue;
      const bool is_alone = t.by.what == kind::lane;
      REQUIRE((!is_alone || walk.is_ready(t.by.unit)));
    }
    for (const std::uint32_t lane : walk.ready()) {
      const std::vector<simt::choice> expected = alone(list, lane, kind::lane);
      const bool same = std::ranges::equal(walk.ways(lane), expected);
      if (is_void()) return std::nullopt;
      REQUIRE(same);
    }
    if (stops) {
      walk.list_all();
      if (is_void()) return std::nullopt;
      REQUIRE(walk.ready().empty());
      REQUIRE(walk.joint().empty());
      break;
    }
    const simt::transition& t = list.transitions[random() % list.transitions.size()];
    const bool can = walk.can(t.by);
    if (is_void()) return std::nullopt;
    REQUIRE(can);
    const simt::ending ends = walk.perform(t.by);
    if (is_void()) return std::nullopt;
    REQUIRE(ends == t.ends);
    if (ends != simt::ending::none) break;
    REQUIRE(std::ranges::equal(walk.state(), list.state(t, machine.words())));
  }
  return steps;
}

std::string found_by(const run_result& result) {
  std::string all;
  for (const warpcheck::violation& v : result.violations) all += fmt::format("{} ", name(v.kind));
  return all;
}

}  // namespace

TEST_CASE("a walker does what the machine does where memory is weak") {
  std::uint64_t steps = 0;
  unsigned runs = 0, given_up = 0;
  for_weak_runs(4, [&](const warpcheck::scenario& what, const warpcheck::run_settings& how) {
    ++runs;
    warpcheck::session run(what, how);
    try {
      for (bool done = false; !done;) {  // begins anew with what was learnt
        run.machine().begin_again();
        simt::weak_walker walk(run.machine());
        done = true;
        for (std::uint64_t seed = 1; done && seed <= 10; ++seed) {
          const auto made = compare(run, walk, seed);
          steps += made.value_or(0);
          done = made.has_value();
        }
      }
    } catch (const simt::lane_runaway&) {
      ++given_up;  // which stores may come early is not decided
    }
  });
  MESSAGE(steps, " steps; ", given_up, " of ", runs, " runs given up");
  if (!test::is_thorough()) return;
  CHECK(steps > 1'000);
  CHECK(given_up * 50 <= runs);
}

TEST_CASE("searches find nothing that is not there, and each run that they show can be replayed") {
  unsigned there = 0, missed = 0;
  for_weak_runs(8, [&](const warpcheck::scenario& what, const warpcheck::run_settings& how) {
    warpcheck::session whole(what, how);
    warpcheck::limits small;
    small.max_states = 5'000;
    small.time = 1;
    const run_result expected = check(whole, small);
    if (!expected.complete) return;
    const auto all =
        static_cast<verdict_set>(expected.found() & ~warpcheck::bit(verdict::livelock));
    verdict_set together = 0;
    for (const search_kind kind : kinds) {
      CAPTURE(name(kind));
      warpcheck::session run(what, how);
      const run_result got = search(run, {}, options_of(kind, 60));
      CHECK_FALSE(got.complete);
      CHECK(got.gravest != verdict::ok);
      CAPTURE(found_by(got));
      CHECK((got.found() & ~all) == 0);
      together = static_cast<verdict_set>(together | got.found());
      warpcheck::names named(run);
      CHECK(show_all(run, named, got).size() == got.violations.size());
    }
    if (all == 0) return;
    ++there;
    if (together != all) ++missed;
  });
  MESSAGE(there, " runs with violations, of which ", missed, " not found in full");
  if (!test::is_thorough()) return;
  CHECK(there > 30);
  CHECK(missed * 10 < there);
}

TEST_CASE("bugs of weak memory are found, and the run that shows one can be made alone") {
  for (const char* const file :
       {"idioms/message_one_fence", "idioms/message_relaxed", "idioms/load_buffering",
        "idioms/seqlock_no_reader_fence", "idioms/double_checked_plain",
        "scor/interwarp_none_blkatom_waw", "scor/interwarp_none_lock_waw", "locks/tas_no_fences",
        "locks/dekker_no_fence", "locks/he_yu", "deques/cederman_tsigas_mp_push",
        "deques/cederman_tsigas_lb_again"}) {
    const warpcheck::scenario what =
        warpcheck::read_scenario(fmt::format("scenarios/{}.toml", file));
    const auto how = std::ranges::find_if(what.runs, [](const warpcheck::run_settings& r) {
      return r.machine.memory == simt::memory_model::ptx;
    });
    REQUIRE(how != what.runs.end());
    INFO(std::string(file), " ", how->name);
    REQUIRE(how->expect.has_value());
    for (const search_kind kind : kinds) {
      const bool is_first = file == std::string_view("idioms/message_one_fence");
      if (!is_first && !test::is_due(fmt::format("{} {}", file, name(kind)))) continue;
      CAPTURE(name(kind));
      // (It needs a promise and several changes of priority at the right events.)
      if (kind == search_kind::pct && file == std::string_view("deques/cederman_tsigas_lb_again"))
        continue;
      warpcheck::limits bounds;
      bounds.first = true;
      warpcheck::session run(what, *how);
      const run_result got = search(run, bounds, options_of(kind, 5'000));
      CHECK(name(got.gravest) == name(*how->expect));
      REQUIRE(got.search->found.size() == 1);
      CHECK(got.search->found.front().alone);
      CHECK_FALSE(got.search->bound.has_value());
      warpcheck::search_options alone = options_of(kind, 1);
      alone.seed = got.search->found.front().seed;
      warpcheck::session again(what, *how);
      const run_result one = search(again, bounds, alone);
      REQUIRE(one.violations.size() == 1);
      CHECK(one.violations.front().how.prefix == got.violations.front().how.prefix);
    }
  }
}

TEST_CASE("load buffering is found with promises alone") {
  const warpcheck::scenario what = warpcheck::read_scenario("scenarios/idioms/load_buffering.toml");
  warpcheck::run_settings how;
  how.machine.memory = simt::memory_model::ptx;
  how.machine.promises = false;
  warpcheck::session run(what, how);
  const run_result got = search(run, {}, options_of(search_kind::random, 2'000));
  CHECK(got.violations.empty());
  CHECK(got.gravest == verdict::inconclusive);
  CHECK(got.search->without_promises);
}

TEST_CASE("a search begins anew where a run shows something new of the program") {
  // Only who sees the sixth of six increments at once writes what is read.
  test::source_run source(
      test::kernel("simt::atomic<int, simt::thread_scope_device> x{0}; int data = 0;",
                   "if (simt::block_index() == 0) {\n"
                   "  for (int i = 0; i < 6; ++i) x.fetch_add(1, simt::memory_order_acq_rel);\n"
                   "  simt::check(data < 2, \"somebody else has written it\");\n"
                   "} else if (x.load(simt::memory_order_acquire) == 6) {\n"
                   "  data = 1;\n"
                   "}"),
      {2, {1}});
  source.how.machine.memory = simt::memory_model::ptx;
  warpcheck::session run(source.what, source.how);
  const run_result got = search(run, {}, options_of(search_kind::random, 20'000));
  CHECK(got.rounds > 1);
  REQUIRE(found_by(got) == "race ");
  CHECK_FALSE(got.search->found.front().alone);
  warpcheck::names named(run);
  CHECK(show_all(run, named, got).size() == 1);
}

TEST_CASE("dead ends with open promises are no deadlocks") {
  // Both may promise what the other one reads, and never come to carry it out.
  test::source_run source(test::kernel("simt::atomic<int, simt::thread_scope_device> x{0}, y{0};",
                                       "auto& mine = simt::block_index() == 0 ? x : y;\n"
                                       "auto& other = simt::block_index() == 0 ? y : x;\n"
                                       "if (mine.load(simt::memory_order_relaxed) == 0)\n"
                                       "  other.store(1, simt::memory_order_relaxed);"),
                          {2, {1}});
  source.how.machine.memory = simt::memory_model::ptx;
  CHECK(source.found() == "ok");
  for (const search_kind kind : kinds) {
    warpcheck::session run(source.what, source.how);
    const run_result got = search(run, {}, options_of(kind, 2'000));
    CHECK(found_by(got) == "");
    CHECK(got.search->deadlocks == 0);
    CHECK(got.search->impossible + got.search->completed == got.search->runs);
  }
}
