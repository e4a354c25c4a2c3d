// Explorations with merging and without take turns, and whichever ends first has the answer.
#include <doctest/doctest.h>

#include "checker/run/turn.hpp"
#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

/// Lane 0 runs first under `stack`, and lane 1 can never come. Each value of `next` that lane 0
/// might read, and did not, leads to continuations without end.
const std::string stuck_members =
    "simt::atomic<unsigned> next{0}, serving{0};\n"
    "simt::atomic<int> go{0};";
const std::string stuck_body =
    "const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);\n"
    "while (serving.load(simt::memory_order_relaxed) != mine) {}\n"
    "if (simt::lane_index() == 1) go.store(1, simt::memory_order_relaxed);\n"
    "serving.fetch_add(1, simt::memory_order_relaxed);\n"
    "while (go.load(simt::memory_order_relaxed) == 0)\n"
    "  next.fetch_add(1, simt::memory_order_relaxed);";

/// A lock whose lanes keep what they have read on the stack: merging makes states fewer.
const std::string lock_members = "simt::atomic<int> held{0}, sum{0};";
const std::string lock_body =
    "int kept[2]; kept[0] = kept[1] = sum.load();\n"
    "while (held.exchange(1) != 0) {}\n"
    "sum.fetch_add(1); held.store(0);\n"
    "kept[sum.load() & 1] = 5;";

}  // namespace

TEST_CASE("a turn without merging ends after so much work, and stays over") {
  warpcheck::turn share(1000);
  CHECK_FALSE(share.is_over());
  share.add(990);
  CHECK(share.is_over());  // questions are work, too
  CHECK(share.was_over());
  CHECK(share.work() > 1000);
}

TEST_CASE("a turn with merging ends once merging costs more than exploring") {
  source_run source(kernel(lock_members, lock_body), {1, {2}});
  warpcheck::session run(source.what, source.how);
  simt::lane_automaton lanes(run.lanes(), true);
  warpcheck::turn ample(1'000'000, lanes), small(1, lanes), explores(1, lanes);
  explores.add(1'000'000);
  simt::continuation at = lanes.start();
  for (const std::uint64_t answer : {1, 2, 3, 4}) lanes.outcome(at, answer);
  at = lanes.outcome(at, 1);
  for (const std::uint64_t answer : {0, 1, 2}) lanes.outcome(at, answer);
  REQUIRE(lanes.merging_work() > 1);
  CHECK(small.is_over());
  CHECK_FALSE(ample.is_over());
  CHECK_FALSE(explores.is_over());
  CHECK(explores.work() == 1'000'000 + lanes.merging_work());
}

TEST_CASE("what merging would not come to an end with is decided without") {
  source_run stuck(kernel(stuck_members, stuck_body), {1, {2}}, simt::reconvergence::stack);
  const warpcheck::run_result found = stuck.check();
  CHECK(source_run::names(found) == "simt-deadlock");
  CHECK(found.complete);
}

TEST_CASE("each turn is a whole exploration") {
  for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
    source_run lock(kernel(lock_members, lock_body), {1, {3}}, model);
    const warpcheck::run_result alone = lock.check();
    const warpcheck::run_result plain = lock.check({.merge = false});
    lock.bounds.first_turn = 1;
    const warpcheck::run_result in_turns = lock.check();
    CHECK(in_turns.complete);
    CHECK(in_turns.found() == alone.found());
    const bool is_one_of_them = in_turns.states == alone.states || in_turns.states == plain.states;
    CHECK(is_one_of_them);
  }
}

TEST_CASE("limits hold over all turns") {
  source_run grows(kernel(stuck_members, stuck_body), {1, {2}});
  grows.bounds.first_turn = 1;
  grows.bounds.max_states = 3'000;
  const warpcheck::run_result few = grows.check();
  CHECK_FALSE(few.complete);
  CHECK(few.stopped.reason == warpcheck::stop_reason::states);
  CHECK(few.states < 3'100);  // (the steps of the last one are all looked up)
  const std::atomic<bool> stop = true;
  grows.bounds.stop = &stop;
  CHECK(grows.check().stopped.reason == warpcheck::stop_reason::interrupted);
}

TEST_CASE("a violation of a turn that was stopped is reported") {
  source_run races(kernel("int data = 0;\n" + stuck_members,
                          "if (simt::lane_index() < 2) data = 1;\n" + stuck_body),
                   {1, {2}});
  races.bounds.first_turn = 1;
  races.bounds.max_states = 3'000;
  const warpcheck::run_result found = races.check();
  CHECK_FALSE(found.complete);
  CHECK((found.found() & bit(warpcheck::verdict::race)) != 0);
}
