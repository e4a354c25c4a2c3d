// The engine against the naive explorer: generated programs, compiled as subjects and interpreted
// from their syntax trees, must have the same set of violations under every model, with every
// combination of reductions.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them;
// WARPCHECK_COMPARE_REDUCE=none (or any other combination) tries that one alone.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/check/first_look.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::verdict;

constexpr unsigned programs_in_a_header = 250;
constexpr std::size_t max_states = 5'000;

std::vector<warpcheck::reductions> combinations() {
  if (const char* one = std::getenv("WARPCHECK_COMPARE_REDUCE")) {
    return {warpcheck::reductions_from(one)};
  }
  std::vector<warpcheck::reductions> result;
  for (unsigned i = 0; i < 16; ++i) {
    // (Fences are the same under sc.)
    result.push_back({(i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0, i == 15});
  }
  return result;
}

/// Whether this list of reductions is due for that program: none and all always are, of the others
/// a tenth.
bool is_due(const warpcheck::reductions& reduce, unsigned program) {
  return reduce == warpcheck::reductions::none() || reduce == warpcheck::reductions{} ||
         test::is_due(fmt::format("{}, {}", program, to_text(reduce)));
}

/// Two threads from the start must find what one has found, with the same counterexamples. (Without
/// reductions their states are the same, too. With them, what is learnt in rounds that did not
/// count depends on who came first, and more knowledge may reduce less.)
void compare_threads(warpcheck::session& run, warpcheck::limits bounds,
                     const warpcheck::reductions& reduce, const warpcheck::run_result& one) {
  bounds.threads = 2;
  bounds.share_after = 0;
  const warpcheck::run_result two = check(run, bounds, reduce);
  CHECK(two.stopped == one.stopped);
  CHECK(test::list_of(two.found()) == test::list_of(one.found()));
  if (reduce == warpcheck::reductions::none()) {
    CHECK(two.states == one.states);
    CHECK(two.transitions == one.transitions);
  }
  REQUIRE(two.violations.size() == one.violations.size());
  for (std::size_t i = 0; i < one.violations.size(); ++i) {
    CHECK(two.violations[i].how.prefix == one.violations[i].how.prefix);
    CHECK(two.violations[i].how.cycle == one.violations[i].how.cycle);
  }
}

/// Explorations in turns must find what one alone has found: turns that end as soon as merging has
/// cost more than exploring.
void compare_turns(warpcheck::session& run, warpcheck::limits bounds,
                   const warpcheck::reductions& reduce, const warpcheck::run_result& one) {
  bounds.first_turn = 1;
  const warpcheck::run_result in_turns = check(run, bounds, reduce);
  CHECK(in_turns.stopped == "");
  CHECK(test::list_of(in_turns.found()) == test::list_of(one.found()));
  for (const warpcheck::violation& v : in_turns.violations) {
    CAPTURE(warpcheck::name(v.kind));
    CHECK(test::objection(run, v) == "");
  }
}

struct summary {
  unsigned compared = 0;
  unsigned ok_with_conflicts = 0;
  unsigned renamed = 0;  // explorations in which lanes changed names
  std::map<verdict, unsigned> with;
};

/// `usual`: how many programs, where nothing else is asked for.
summary compare(unsigned usual, naive::kinds kind) {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 20);
  const auto [begin, count] =
      test::due_programs(usual, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-comparison-{}", getpid());
  std::filesystem::create_directories(folder);

  summary all;
  auto& [compared, ok_with_conflicts, renamed, with] = all;
  unsigned skipped = 0, seen_at_once = 0;
  const std::vector<warpcheck::reductions> reduce = combinations();
  std::vector<std::uint64_t> states(reduce.size(), 0);
  for (unsigned first = begin; first < count; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, count - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here, naive::grids::any, kind);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index, naive::grids::any, kind);
      for (const naive::configuration& c : naive::variants(sample.config)) {
        const naive::outcome expected = naive::explore(sample.code, c, max_states);
        // (Under `stack`, the kind of a deadlock is decided by the graph under `its`.)
        naive::configuration its = c;
        its.reconvergence = naive::reconvergence::its;
        if (expected.too_large || naive::explore(sample.code, its, 10 * max_states).too_large) {
          ++skipped;
          continue;
        }
        ++compared;
        if (expected.violations == 0 && expected.contended) ++ok_with_conflicts;
        for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
          if ((expected.violations >> v & 1U) != 0) ++with[static_cast<verdict>(v)];
        }
        INFO("seed ", seed, ", program ", index, ", ", test::model_of(c),
             " (`naive_tool show` prints it)");
        warpcheck::session run = test::session_of(header, sample, c);
        warpcheck::limits bounds;
        bounds.max_states = 1000 * max_states;
        for (std::size_t i = 0; i < reduce.size(); ++i) {
          if (!is_due(reduce[i], index)) continue;
          CAPTURE(to_text(reduce[i]));
          warpcheck::reductions how = reduce[i];
          how.asks_in_small_grids = how.order && index % 2 == 0;
          const warpcheck::run_result got = check(run, bounds, how);
          states[i] += got.states;
          if (got.renamings > 0) ++renamed;
          if (how == warpcheck::reductions::none() || (i % 16) == 7) {
            compare_threads(run, bounds, how, got);
          }
          if (how.merge) compare_turns(run, bounds, how, got);
          CHECK(got.stopped == "");
          CHECK(test::list_of(got.found()) == test::list_of(expected.violations));
          for (const warpcheck::violation& v : got.violations) {
            CAPTURE(warpcheck::name(v.kind));
            CHECK(test::objection(run, v) == "");
          }
        }
        std::uint64_t forbidden = 0;
        const auto seen = first_look(run, bounds, run.settings().check, forbidden);
        CHECK(forbidden == 0);
        for (const warpcheck::violation& v : seen) {
          CAPTURE(warpcheck::name(v.kind));
          CHECK((expected.violations & bit(v.kind)) != 0);
          CHECK(test::objection(run, v) == "");
          ++seen_at_once;
        }
      }
    }
  }
  std::filesystem::remove_all(folder);

  std::string counts;
  for (const auto& [kind, n] : with) counts += fmt::format(", {} {}", n, warpcheck::name(kind));
  MESSAGE("seed ", seed, ": ", compared, " runs compared, ", skipped, " too large, ",
          ok_with_conflicts, " ok with conflicts", counts, ", ", renamed, " renamed; single runs ",
          "have shown ", seen_at_once, " violations");
  for (std::size_t i = 0; i < reduce.size(); ++i) {
    MESSAGE(to_text(reduce[i]), ": ", states[i], " states");
  }
  return all;
}

}  // namespace

TEST_CASE("the engine finds what the naive explorer finds") {
  auto [compared, ok_with_conflicts, renamed, with] = compare(600, naive::kinds::any);
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  // A generator that made only trivial programs would prove nothing.
  CHECK(ok_with_conflicts * 10 > compared);
  if (combinations().size() == 16) CHECK(renamed * 10 > compared);
  for (const verdict v : {verdict::barrier_divergence, verdict::simt_deadlock, verdict::deadlock,
                          verdict::assertion, verdict::race, verdict::livelock}) {
    CHECK(with[v] * 100 > compared);
  }
}

TEST_CASE("the engine finds what the naive explorer finds where accesses overlap in part") {
  auto [compared, ok_with_conflicts, renamed, with] = compare(200, naive::kinds::mixed_sizes);
  CHECK(with[verdict::race] * 4 > compared);
}

TEST_CASE("the engine finds what the naive explorer finds in phases between barriers") {
  auto [compared, ok_with_conflicts, renamed, with] = compare(300, naive::kinds::phases);
  CHECK(with[verdict::race] * 20 > compared);
  CHECK(with[verdict::race] * 4 < compared * 3);
}

TEST_CASE("the engine finds what the naive explorer finds where the environment chooses") {
  auto [compared, ok_with_conflicts, renamed, with] = compare(200, naive::kinds::choices);
  CHECK(with[verdict::assertion] * 100 > compared);
}

TEST_CASE("the engine finds what the naive explorer finds in programs of several launches") {
  auto [compared, ok_with_conflicts, renamed, with] = compare(200, naive::kinds::launches);
  CHECK(renamed == 0);  // the host sees lanes by their names
  if (!test::is_thorough()) return;
  for (const verdict v : {verdict::deadlock, verdict::assertion, verdict::race}) {
    CHECK(with[v] * 100 > compared);
  }
}

TEST_CASE("the engine finds what the naive explorer finds with all scopes in several blocks") {
  if (!test::is_turn(0, 2, "WARPCHECK_COMPARE_COUNT")) return;
  const unsigned usual = test::is_thorough() ? 150 : 40;
  auto [compared, ok_with_conflicts, renamed, with] = compare(usual, naive::kinds::scopes);
  if (!test::is_thorough()) return;  // what a twentieth of them shows varies
  CHECK(with[verdict::race] * 20 > compared);
  CHECK(with[verdict::race] * 10 < compared * 9);
}

TEST_CASE("branches that the compiler decides") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 20);
  const auto [begin, count] =
      test::due_programs(500, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-decided-{}", getpid());
  std::filesystem::create_directories(folder);

  unsigned compared = 0;
  for (unsigned first = begin; first < count; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, count - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << "#define GENERATED_DECIDES\n" << naive::emit_header(seed, first, here);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index);
      for (const naive::configuration& c : naive::variants(sample.config)) {
        // (Under `stack` a branch of the source is a place where lanes may wait for each other,
        // and one that the compiler has decided is none.)
        if (c.reconvergence != naive::reconvergence::its) continue;
        const naive::outcome expected = naive::explore(sample.code, c, max_states);
        if (expected.too_large) continue;
        ++compared;
        INFO("seed ", seed, ", program ", index, ", ", test::model_of(c));
        warpcheck::session run = test::session_of(header, sample, c);
        warpcheck::limits bounds;
        bounds.max_states = 1000 * max_states;
        for (const auto& reduce : {warpcheck::reductions{}, warpcheck::reductions::none()}) {
          const warpcheck::run_result got = check(run, bounds, reduce);
          CHECK(got.stopped == "");
          CHECK(test::list_of(got.found()) == test::list_of(expected.violations));
        }
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE("seed ", seed, ": ", compared, " runs compared");
  CHECK(compared > 0);
}
