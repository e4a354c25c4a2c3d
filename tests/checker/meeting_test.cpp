// Lanes that meet at a location of their own are explored first, waits end with the newest message,
// and all is still found.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

constexpr std::uint32_t lanes = 16;

/// A ticket lock that each lane takes once. `more`: what lanes do before they wait.
std::string ticket(const std::string& more) {
  return kernel(
      "simt::atomic<unsigned> next{0};\nsimt::atomic<unsigned> current{0};\nint count = 0;\n",
      "const unsigned mine = next.fetch_add(1);\n" + more +
          "while (current.load() != mine) {\n}\n"
          "count = count + 1;\n"
          "current.fetch_add(1);\n",
      "return count == 16;");
}

/// Lane 0 stores a value and then a flag; each lane waits for the flag, and keeps the value.
std::string broadcast(const std::string& fence) {
  return kernel("int value = 0;\nint flag = 0;\nint seen[16]{};\n",
                "if (simt::lane_index() == 0) {\n"
                "  value = 7;\n" +
                    fence +
                    "  *static_cast<volatile int*>(&flag) = 1;\n"
                    "}\n"
                    "while (*static_cast<volatile int*>(&flag) == 0) {\n}\n" +
                    fence + "seen[simt::lane_index()] = value;\n",
                "for (int i = 0; i < 16; ++i) if (seen[i] != 7) return false;\nreturn true;");
}

}  // namespace

TEST_CASE("lanes that take tickets are explored before those that wait for their turn") {
  source_run run(ticket(""), {1, {lanes}});
  const auto result = run.check();
  CHECK(result.stopped == "");
  CHECK(source_run::names(result) == "ok");
  CHECK(result.states <= 3 * lanes);  // with all orders of the two, the square of the lanes
}

TEST_CASE("lanes that come to the location of tickets again are no reason to put off others") {
  source_run run(ticket("if (mine == 15) simt::check(next.load() == 16, \"all have one\");\n"),
                 {1, {lanes}});
  CHECK(run.found() == "ok");
  source_run wrong(ticket("simt::check(next.load() == mine + 1, \"nobody else\");\n"), {1, {2}});
  CHECK(wrong.found() == "assertion");
}

TEST_CASE("a wait that only the newest message ends is one step of each lane") {
  source_run run(broadcast("simt::__threadfence();\n"), {1, {lanes}});
  run.how.machine.memory = simt::memory_model::ptx;
  const auto result = run.check();
  CHECK(result.stopped == "");
  CHECK(source_run::names(result) == "ok");
  CHECK(result.states <= 2 * lanes);  // one for each subset of the lanes without
}

TEST_CASE("without fences, what the newest message does not order is still found") {
  source_run run(broadcast(""), {1, {lanes}});
  run.how.machine.memory = simt::memory_model::ptx;
  run.bounds.first = true;
  CHECK(run.found() == "race");
}
