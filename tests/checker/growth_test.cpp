// Programs whose states have no bound, since something counts until another lane stops it.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;
using warpcheck::bit;
using warpcheck::stop_reason;
using warpcheck::verdict;

namespace {

const std::string members =
    "simt::atomic<unsigned> n{0};\nsimt::atomic<int> go{0};\nint data = 0;\n";

/// Lane 0 counts in memory until lane 1 stops it, and then does `behind`.
std::string counts_in_memory(const std::string& behind) {
  return kernel(members,
                "if (simt::lane_index() == 0) {\n"
                "  while (go.load() == 0) n.fetch_add(1);\n" +
                    behind +
                    "} else {\n"
                    "  go.store(1);\n"
                    "  data = 2;\n"
                    "}");
}

/// Lane 0 counts in a local variable.
std::string counts_locally(const std::string& behind) {
  return kernel(members,
                "if (simt::lane_index() == 0) {\n"
                "  unsigned spins = 0;\n"
                "  while (go.load() == 0) ++spins;\n" +
                    behind +
                    "} else {\n"
                    "  go.store(1);\n"
                    "}");
}

}  // namespace

TEST_CASE("a violation near the root is found beside a path without end") {
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    CAPTURE(memory == simt::memory_model::ptx);
    source_run fails(counts_in_memory("  simt::check(n.load() != 3, \"three\");\n"), {1, {2}});
    fails.how.machine.memory = memory;
    fails.bounds.first = true;
    CHECK(source_run::names(fails.check()) == "assertion");

    source_run races(counts_in_memory("  data = 1;\n"), {1, {2}});
    races.how.machine.memory = memory;
    races.bounds.first = true;
    CHECK(source_run::names(races.check()) == "race");
  }
}

TEST_CASE("a deadlock near the root is found beside a path without end") {
  // Once lane 0 has stopped counting, each lane takes a lock and waits for the other one.
  source_run stuck(kernel("simt::atomic<int> locks[2];\n" + members,
                          "const unsigned me = simt::lane_index();\n"
                          "if (me == 1) go.store(1);\n"
                          "if (me == 0) while (go.load() == 0) n.fetch_add(1);\n"
                          "while (locks[me].exchange(1) != 0) {}\n"
                          "while (locks[1 - me].exchange(1) != 0) {}\n"
                          "locks[0].store(0);\n"
                          "locks[1].store(0);"),
                   {1, {2}});
  stuck.bounds.first = true;
  CHECK(source_run::names(stuck.check()) == "deadlock");
}

TEST_CASE("what a lane that counts locally does is not learnt round by round") {
  source_run counts(counts_locally("  n.store(spins);\n"), {1, {2}});
  counts.bounds.max_states = 2'000;
  const warpcheck::run_result found = counts.check({.merge = false});
  CHECK(found.stopped.reason == stop_reason::states);
  CHECK(found.rounds < 50);
  CHECK_FALSE(found.grows.empty());
}

TEST_CASE("merging ends where it costs more than all that a limit allows") {
  source_run counts(counts_locally("  n.store(spins);\n"), {1, {2}});
  counts.bounds.first_turn = 10'000;
  counts.bounds.max_states = 2'000;
  const warpcheck::run_result found = counts.check();
  CHECK(found.stopped.reason == stop_reason::states);
  CHECK(found.states >= 2'000);  // those of the exploration that does not merge
  CHECK_FALSE(found.grows.empty());
}

TEST_CASE("a run without a limit ends where a value grows on and on") {
  source_run grows(counts_in_memory(""), {1, {2}});
  const warpcheck::run_result found = grows.check();
  CHECK(found.stopped.reason == stop_reason::growth);
  REQUIRE_FALSE(found.grows.empty());
  CHECK(found.grows.front().from == 0);
  CHECK(found.grows.front().to > 100'000);
}
