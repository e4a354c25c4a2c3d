// Loops without a visible operation: what a lane does alone between two steps.
#include <doctest/doctest.h>

#include <cstdint>

#include <fmt/format.h>

#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;
using warpcheck::verdict;

namespace {

constexpr auto both = {simt::reconvergence::its, simt::reconvergence::stack};

/// How often device code runs in a kernel with a loop of so many rounds.
std::uint64_t runs_with(int rounds, const char* round, simt::reconvergence model) {
  source_run run(kernel("simt::atomic<int> a{0};",
                        fmt::format("unsigned x = 0;\nfor (unsigned i = 0; i < {}; ++i) {{ {} }}\n"
                                    "a.store(static_cast<int>(x));",
                                    rounds, round)),
                 {}, model);
  const warpcheck::run_result result = run.check();
  CHECK(result.gravest == verdict::ok);
  return result.device_runs;
}

}  // namespace

TEST_CASE("a local loop runs once, whatever its length") {
  for (const auto model : both) {
    for (const char* round : {"x += i;", "x = (x & 1) != 0 ? x * 3 : x + i;"}) {
      CAPTURE(round);
      CHECK(runs_with(10'000, round, model) == runs_with(10, round, model));
    }
  }
}

TEST_CASE("a loop that asks for indices asks once for each") {
  for (const auto model : both) {
    const char* round = "x += i * simt::lane_index() + simt::grid_size();";
    CHECK(runs_with(2'000, round, model) == runs_with(10, round, model));
  }
}

TEST_CASE("what a lane does alone holds the time limit") {
  for (const auto model : both) {
    source_run run(kernel("simt::atomic<int> a{0};",
                          "for (int i = 0; i < 20'000; ++i) simt::linearization_point(i == 7);\n"
                          "a.store(1);"),
                   {}, model);
    warpcheck::session long_way(run.what, run.how);
    int looks = 0;
    long_way.stores().program.give_up_where([&] { return ++looks > 1; });
    CHECK_THROWS_AS(long_way.machine().initial(), simt::lane_automaton::given_up);
    CHECK(looks == 2);
  }
}

TEST_CASE("showing a long counterexample holds the time limit, step by step and row by row") {
  source_run run(kernel("simt::atomic<int> a{0};",
                        "for (int i = 0; i < 10'000; ++i) { a.store(1); a.store(2); }"),
                 {});
  warpcheck::session session(run.what, run.how);
  warpcheck::names named(session);
  warpcheck::execution how;
  how.prefix.assign(5'000, {simt::choice::kind::lane, 0, 0});
  int looks = 0;
  simt::lane_automaton& program = session.stores().program;
  program.give_up_where([&] { return ++looks < 0; });
  const warpcheck::trace whole = warpcheck::follow(session, named, how);
  CHECK(looks > 50);
  looks = 0;
  const warpcheck::trace_table table = warpcheck::make_table(session, named, whole);
  CHECK(looks > 10);
  const int all = looks;
  looks = 0;
  program.give_up_where([&] { return ++looks == all; });
  CHECK_THROWS_AS(warpcheck::make_table(session, named, whole), simt::lane_automaton::given_up);
  // 0 to 1, then 1 to 2 and 2 to 1 again and again, then 1 to 2.
  CHECK(table.rows.size() == 5'000);
  REQUIRE(table.folds.size() == 1);
  CHECK(table.folds[0].begin == 1);
  CHECK(table.folds[0].block == 2);
  CHECK(table.folds[0].times == 2'499);
}
