// The published litmus tests (Dat3M): every answer agrees with the key, and none is unknown.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "litmus/report/key.hpp"
#include "tests/litmus/machine.hpp"
#include "tests/suites.hpp"

using namespace litmus;

namespace {

std::filesystem::path suite() { return test::suites_folder() / "ptx-litmus"; }

/// The test without what could give its answer away: title, quoted text, comments.
std::string without_words(std::string text) {
  for (std::size_t at = text.find("(*"); at != std::string::npos; at = text.find("(*", at)) {
    text.erase(at, text.find("*)", at) + 2 - at);
  }
  return "PTX t\n" + text.substr(text.find('{'));
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("all tests agree with the key") {
  std::size_t holds = 0, terminates = 0;
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const answer found = evaluate(read_program(file), {});
    CHECK(found.covered.all);
    CHECK(found.terminates.has_value());
    if (expected.holds) {
      CHECK(found.holds == expected.holds);
      ++holds;
    }
    if (expected.terminates) {
      CHECK(found.terminates == expected.terminates);
      ++terminates;
    }
  }
  CHECK(holds >= 61);
  CHECK(terminates >= 42);
}

TEST_CASE("titles, comments and file names do not matter") {
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const std::string text = read(file);
    const answer full = evaluate(parse(text, "a"), {});
    const answer bare = evaluate(parse(without_words(text), "b"), {});
    CHECK(full.holds == bare.holds);
    CHECK(full.terminates == bare.terminates);
    CHECK(full.executions == bare.executions);
  }
}

// Nothing is left out: loops, and barriers with all their operands.
TEST_CASE("the machine of sim/memory says the same of every test") {
  std::size_t without_races = 0, with_races = 0;
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const program p = read_program(file);
    const answer wanted = evaluate(p, {});
    const naive::machine_result found = naive::run_on_machine(p, wanted.observed, true);
    CHECK(found.race == !wanted.races.empty());
    if (!wanted.races.empty()) {
      ++with_races;
      continue;
    }
    ++without_races;
    std::set<std::vector<value>> outcomes;
    for (const outcome& one : wanted.outcomes) outcomes.insert(one.values);
    CHECK(found.outcomes == outcomes);
  }
  MESSAGE(without_races, " tests without races, ", with_races, " with");
  CHECK(without_races >= 52);
  CHECK(with_races >= 38);
}

// What one instruction after the other can do, the PTX model allows too.
TEST_CASE("outcomes under sc are outcomes under ptx") {
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const program p = read_program(file);
    candidate_options sc;
    sc.model = memory_model::sc;
    const answer narrow = evaluate(p, sc), wide = evaluate(p, {});
    CHECK(narrow.holds.has_value());
    CHECK(narrow.terminates == wide.terminates);
    for (const outcome& one : narrow.outcomes) {
      bool found = false;
      for (const outcome& other : wide.outcomes) found = found || other.values == one.values;
      CHECK(found);
    }
  }
}

int main(int argc, char** argv) {
  std::error_code error;
  if (!std::filesystem::exists(suite(), error)) {
    std::printf("skipped: %s is not there; set WARPCHECK_SUITES\n", suite().c_str());
    return test::status_without_suite();
  }
  return doctest::Context(argc, argv).run();
}
