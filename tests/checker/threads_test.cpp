// Explorations by several threads find what one thread finds: the same verdicts, as many states and
// transitions, the same counterexamples.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/states/open_states.hpp"
#include "tests/shipped.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::limits;
using warpcheck::reductions;
using warpcheck::run_result;

/// The others join at once, however small the graph is.
limits with_threads(std::uint32_t threads) {
  limits bounds;
  bounds.threads = threads;
  bounds.share_after = 0;
  return bounds;
}

run_result explored(const warpcheck::scenario& what, const warpcheck::run_settings& how,
                    const limits& bounds, const reductions& reduce) {
  warpcheck::session run(what, how);
  return check(run, bounds, reduce);
}

/// What does not depend on the number of threads, beside what is found.
enum class expected : std::uint8_t { findings, counterexamples, counts };

void expect_same(const run_result& one, const run_result& other, expected same = expected::counts) {
  CHECK(other.stopped == one.stopped);
  CHECK(other.found() == one.found());
  // (Where single runs have shown a violation, an exploration goes on for some time.)
  const bool is_timed = one.stopped.reason == warpcheck::stop_reason::single_runs;
  if (same == expected::counts && !is_timed) {
    CHECK(other.states == one.states);
    CHECK(other.transitions == one.transitions);
  }
  REQUIRE(other.violations.size() == one.violations.size());
  if (same == expected::findings) return;
  for (std::size_t i = 0; i < one.violations.size(); ++i) {
    CHECK(other.violations[i].kind == one.violations[i].kind);
    CHECK(other.violations[i].detail == one.violations[i].detail);
    CHECK(other.violations[i].how.prefix == one.violations[i].how.prefix);
    CHECK(other.violations[i].how.cycle == one.violations[i].how.cycle);
  }
}

/// Under ptx, all runs without reductions would take minutes: of the small ones, the fair.
bool is_weak_example(const std::filesystem::path& file, const warpcheck::run_settings& how) {
  const std::string family = file.parent_path().filename();
  return (family == "idioms" || family == "scor" || family == "deques") &&
         how.machine.reconvergence == simt::reconvergence::its &&
         how.progress == simt::progress::fair;
}

warpcheck::scenario lock(const std::string& name, std::uint32_t lanes, std::uint32_t repeat) {
  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = "locks/" + name;
  what.workload = "counter";
  what.repeat = repeat;
  what.grid.lanes = {lanes};
  return what;
}

}  // namespace

// Each second run without reductions, the others with.
TEST_CASE("shipped scenarios: one, two and four threads") {
  unsigned number = 0;
  for (const auto& file : warpcheck::scenario_files({"scenarios"})) {
    const warpcheck::scenario what = warpcheck::read_scenario(file);
    if (what.generate) continue;
    for (const warpcheck::run_settings& how : what.runs) {
      if (how.machine.memory == simt::memory_model::ptx && !is_weak_example(file, how)) continue;
      // (As long as proofs that states are dead are tried, one thread is alone.)
      const reductions reduce = number++ % 2 == 0 && !test::has_many_lanes(file)
                                    ? reductions::none()
                                    : reductions{true, true, true, false};
      if (!test::is_due(file.string() + how.name)) continue;
      INFO(file.string(), " ", to_text(reduce));
      const run_result one = explored(what, how, with_threads(1), reduce);
      // How far lanes run ahead rests on all that lanes might do, after answers that were tried,
      // too. Which are tried depends on who comes first. Counterexamples are those of the plain
      // graph, unless that is large (objects).
      const expected same = reduce == reductions::none() ? expected::counts
                            : what.threads.empty()       ? expected::counterexamples
                                                         : expected::findings;
      for (const std::uint32_t threads : {2U, 4U}) {
        expect_same(one, explored(what, how, with_threads(threads), reduce), same);
      }
    }
  }
}

TEST_CASE("larger graphs, components of many states") {
  // TTAS: lanes that spin together make components of hundreds of states.
  for (const warpcheck::scenario& what : {lock("ttas", 4, 2), lock("ticket", 4, 2)}) {
    for (const auto progress : {simt::progress::fair, simt::progress::unfair}) {
      warpcheck::run_settings how;
      how.progress = progress;
      const run_result one = explored(what, how, with_threads(1), reductions::none());
      for (const std::uint32_t threads : {2U, 3U, 8U}) {
        const std::string name =
            fmt::format("{} {} {}", what.subject, static_cast<int>(progress), threads);
        if (threads != 3 && !test::is_due(name)) continue;
        expect_same(one, explored(what, how, with_threads(threads), reductions::none()));
      }
    }
  }
}

TEST_CASE("limits end all threads") {
  limits bounds = with_threads(4);
  SUBCASE("states") { bounds.max_states = 1'000; }
  SUBCASE("memory") { bounds.max_memory = 4'000'000; }
  SUBCASE("first") { bounds.first = true; }
  SUBCASE("interrupted") {
    static const std::atomic<bool> stop = true;
    bounds.stop = &stop;
  }
  warpcheck::run_settings how;
  how.progress = simt::progress::unfair;  // a livelock
  const run_result result = explored(lock("ttas", 5, 2), how, bounds, reductions::none());
  CHECK(!result.complete);
  CHECK(result.stopped != "");
  CHECK(result.states < 800'000);
}

TEST_CASE("open states: a map, against another one") {
  std::mt19937 random(1);
  warpcheck::open_states mine;
  std::unordered_map<warpcheck::state_id, std::uint32_t> known;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const auto s = static_cast<warpcheck::state_id>(random() % 5'000 * 4'096);
    if (const auto at = known.find(s); at != known.end()) {
      REQUIRE(mine.find(s) == at->second);
      mine.erase(s);
      known.erase(at);
    } else {
      REQUIRE(mine.find(s) == warpcheck::open_states::none);
      mine.insert(s, i);
      known.emplace(s, i);
    }
  }
}
