// What others come to while a lane stands still (docs/reductions.md): generated programs of lanes
// that wait for each other must have the same violations with reductions as without, and as the
// naive explorer finds, where it knows their operations.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

constexpr unsigned programs_in_a_header = 100;
constexpr std::size_t max_states = 20'000;
constexpr std::size_t max_states_of_naive = 3'000;
// Of weak memory.
constexpr std::size_t max_weak_states = 1'000;
constexpr double max_weak_seconds = 0.5;

struct summary {
  unsigned compared = 0, skipped = 0, with_naive = 0;
  unsigned decided = 0;  // runs with fewer states because of what is asked
  std::uint64_t plain_states = 0, states = 0, states_unasked = 0;
  std::map<std::string, unsigned> with;
};

warpcheck::reductions asking(const char* some) {
  warpcheck::reductions reduce = warpcheck::reductions_from(some);
  reduce.asks_in_small_grids = true;
  return reduce;
}

void compare_with(warpcheck::session& run, const warpcheck::reductions& reduce,
                  const warpcheck::run_result& wanted, std::uint64_t* states = nullptr) {
  CAPTURE(to_text(reduce));
  const warpcheck::run_result got = check(run, {}, reduce);
  CHECK(got.stopped == "");
  CHECK(test::list_of(got.found()) == test::list_of(wanted.found()));
  for (const warpcheck::violation& v : got.violations) {
    CAPTURE(warpcheck::name(v.kind));
    CHECK(test::objection(run, v) == "");
  }
  if (states != nullptr) *states = got.states;
}

void compare_strong(const std::filesystem::path& header, const naive::sample& sample,
                    const naive::configuration& c, unsigned index, summary& all) {
  warpcheck::session run = test::session_of(header, sample, c);
  warpcheck::limits bounds;
  bounds.max_states = max_states;
  const warpcheck::run_result wanted = check(run, bounds, warpcheck::reductions::none());
  if (!wanted.stopped.empty()) {
    ++all.skipped;
    return;
  }
  ++all.compared;
  ++all.with[test::list_of(wanted.found())];
  all.plain_states += wanted.states;
  if (!sample.code.has_text && wanted.states <= max_states_of_naive) {
    const naive::outcome expected = naive::explore(sample.code, c, 2 * max_states_of_naive);
    if (!expected.too_large) {
      ++all.with_naive;
      CHECK(test::list_of(wanted.found()) == test::list_of(expected.violations));
    }
  }
  std::uint64_t asked = 0;
  compare_with(run, asking("order"), wanted, &asked);
  constexpr std::array lists{"all", "merge,order", "symmetry,order", "order,dead"};
  compare_with(run, asking(lists[index % lists.size()]), wanted);
  const warpcheck::run_result unasked = check(run, {}, warpcheck::reductions_from("order"));
  all.states += asked;
  all.states_unasked += unasked.states;
  if (asked < unasked.states) ++all.decided;
}

void compare_weak(const std::filesystem::path& header, const naive::sample& sample,
                  const naive::configuration& c, unsigned index, summary& all) {
  warpcheck::session made = test::session_of(header, sample, c);
  warpcheck::run_settings how = made.settings();
  how.machine.memory = simt::memory_model::ptx;
  warpcheck::limits bounds;
  bounds.max_states = max_weak_states;
  bounds.time = max_weak_seconds;
  warpcheck::session run(made.subject(), how);
  const warpcheck::run_result wanted = check(run, bounds, warpcheck::reductions::none());
  if (!wanted.stopped.empty()) {
    ++all.skipped;
    return;
  }
  ++all.compared;
  ++all.with["ptx: " + test::list_of(wanted.found())];
  warpcheck::session again(made.subject(), how);
  const char* const some = index % 8 < 4 ? "order" : "merge,symmetry,order";
  compare_with(again, asking(some), wanted);
}

void compare(unsigned long seed, unsigned begin, unsigned end,
             naive::kinds kind = naive::kinds::standing) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-standing-{}", getpid());
  std::filesystem::create_directories(folder);
  summary all;
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, end - first);
    const auto header = folder / fmt::format("standing_{}.hpp", first);
    std::ofstream(header) << "#define GENERATED_SYNCHRONIZES\n"
                          << naive::emit_header(seed, first, here, naive::grids::any, kind);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index, naive::grids::any, kind);
      for (const naive::configuration& c : naive::variants(sample.config)) {
        if (c.progress == naive::progress::unfair && index % 4 != 0) continue;
        INFO("seed ", seed, ", program ", index, ", ", test::model_of(c),
             " (`naive_tool show SEED PROGRAM standing`, `dealing` or `gathering` prints it)");
        compare_strong(header, sample, c, index, all);
        if (index % 4 == 3) compare_weak(header, sample, c, index, all);
      }
    }
  }
  std::filesystem::remove_all(folder);
  std::string counts;
  for (const auto& [found, n] : all.with) counts += fmt::format("; {}: {}", found, n);
  MESSAGE("seed ", seed, ": ", all.compared, " runs compared, ", all.with_naive,
          " with the naive explorer, ", all.skipped, " too large", counts);
  MESSAGE("states: ", all.plain_states, " without reductions, ", all.states_unasked,
          " with order, ", all.states, " where it asks (fewer in ", all.decided, " runs)");
  // Programs in which nothing is decided would prove nothing.
  const unsigned share = kind == naive::kinds::standing ? 4 : 8;
  if (all.compared >= 100) CHECK(all.decided * share > all.compared);
  if (all.compared >= 100) CHECK(all.with["ok"] * 8 > all.compared);
}

}  // namespace

TEST_CASE("lanes that wait for others: reductions keep the violations") {
  const auto [begin, end] =
      test::due_programs(300, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 50), begin, end);
}

TEST_CASE("lanes that hand values around their warps: reductions keep the violations") {
  const auto [begin, end] =
      test::due_programs(300, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 51), begin, end, naive::kinds::dealing);
}

TEST_CASE("lanes that change a few cells together: reductions keep the violations") {
  const auto [begin, end] =
      test::due_programs(300, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 53), begin, end, naive::kinds::gathering);
}

// By the end of this exploration, the first state could run further ahead than at its beginning.
TEST_CASE("a way to a violation begins where the exploration began") { compare(50, 17, 18); }
