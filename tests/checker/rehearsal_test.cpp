// Walks before an exploration, and that they end when they are told to.
#include <doctest/doctest.h>

#include <atomic>

#include "checker/check/check.hpp"
#include "checker/explore/rehearsal.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

constexpr std::size_t many = 1000;

}  // namespace

TEST_CASE("a walk ends where no lane can go on, or after so many steps") {
  source_run ends(kernel("simt::atomic<int> place{0};", "place.fetch_add(1);"), {1, {3}});
  warpcheck::session finite(ends.what, ends.how);
  CHECK(warpcheck::walk(finite.machine(), 1, many, {}) < many);
  source_run turns(kernel("simt::atomic<int> place{0};", "while (true) place.fetch_xor(1);"),
                   {1, {3}});
  warpcheck::session endless(turns.what, turns.how);
  CHECK(warpcheck::walk(endless.machine(), 1, many, {}) == many);
}

TEST_CASE("a walk ends at once where time is over or the user has had enough") {
  source_run turns(kernel("simt::atomic<int> place{0};", "while (true) place.fetch_xor(1);"),
                   {1, {3}});
  warpcheck::session ready(turns.what, turns.how);
  warpcheck::limits late;
  late.time = 0;
  late.start -= std::chrono::seconds(1);
  CHECK(warpcheck::walk(ready.machine(), 1, many, late) == 0);
  const std::atomic<bool> stop = true;
  warpcheck::limits interrupted;
  interrupted.stop = &stop;
  CHECK(warpcheck::walk(ready.machine(), 1, many, interrupted) == 0);
}

// A lock of tickets: each lane waits for a value of its own.
TEST_CASE("a walk without merging tells apart what lanes wait for") {
  constexpr std::uint32_t lanes = 8;
  source_run tickets(kernel("simt::atomic<unsigned> next{0}, now{0};",
                            "const unsigned own = next.fetch_add(1);\n"
                            "while (now.load() != own) {\n}\n"
                            "now.store(own + 1);"),
                     {1, {lanes}});
  warpcheck::session run(tickets.what, tickets.how);
  simt::lane_automaton merging(run.lanes(), true);
  const std::size_t taken = warpcheck::walk_unmerged(run, merging, 1, many, {});
  CHECK(taken >= 3 * lanes);
  CHECK(taken < many);
  merging.refine();
  CHECK(merging.size() >= 2 * lanes);
}
