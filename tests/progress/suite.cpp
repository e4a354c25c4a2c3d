// The published forward-progress tests (Sorensen et al., OOPSLA 2021): every label by the checker,
// and what the machine makes of each as a subject against what a GPU did.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "checker/check/check.hpp"
#include "checker/progress/answer.hpp"
#include "checker/progress/scenario_of.hpp"
#include "tests/suites.hpp"

using namespace warpcheck;

namespace {

std::filesystem::path suite() { return test::suites_folder() / "forward-progress/tests.jsonl"; }

/// A column of what hardware did, by the tests' ids: "pass" or "hang".
std::map<std::string, std::string> hardware(const char* column) {
  std::map<std::string, std::string> results;
  std::ifstream stream(suite());
  for (std::string line; std::getline(stream, line);) {
    const auto one = nlohmann::json::parse(line);
    results[one.at("id")] = one.at("hw").at(column);
  }
  return results;
}

verdict verdict_of(const scenario& what, const run_settings& how) {
  session run(what, how);
  const run_result result = check(run, {});
  CHECK(result.complete);
  return result.gravest;
}

}  // namespace

TEST_CASE("all ten columns of all tests agree with the published labels") {
  std::size_t compared = 0;
  const auto tests = read_progress_tests(suite());
  for (const progress_test& one : tests) {
    CAPTURE(one.id);
    const progress_answer answer(one, 100'000);
    for (const progress_column column : progress_columns({}, {})) {
      CAPTURE(name(column.notion));
      CAPTURE(name(column.model));
      CHECK(answer.holds(column) == one.label(column.notion, column.model));
      ++compared;
    }
  }
  CHECK(compared == tests.size() * 10);
}

// A GPU that hangs goes round in one place, so whatever lets the warp go round for ever counts as a
// hang: simt-deadlock, deadlock and livelock. (With one `if` for each lane there is never a choice
// of which lane or which side goes next, so of these only the deadlocks can occur.)
TEST_CASE("the interpreter under stack hangs exactly where the pre-Volta build did") {
  const auto on_gpu = hardware("rtx4000_warp_stack");
  for (const progress_test& one : read_progress_tests(suite())) {
    CAPTURE(one.id);
    const scenario what = parse_scenario(scenario_text(progress_answer(one, 100'000)), "test.toml");
    const run_settings& stack = what.runs.at(1);
    REQUIRE(stack.machine.reconvergence == simt::reconvergence::stack);
    const verdict found = verdict_of(what, stack);
    CHECK((found == verdict::ok ? "pass" : "hang") == on_gpu.at(one.id));
    CHECK((found == verdict::ok || found == verdict::simt_deadlock));
    CHECK(found == stack.expect);
  }
}

TEST_CASE(
    "the interpreter under its is ok exactly where FAIR guarantees it, and no such test hung") {
  const auto on_gpu = hardware("rtx4000_warp_its");
  for (const progress_test& one : read_progress_tests(suite())) {
    CAPTURE(one.id);
    const scenario what = parse_scenario(scenario_text(progress_answer(one, 100'000)), "test.toml");
    const run_settings& its = what.runs.at(0);
    REQUIRE(its.machine.reconvergence == simt::reconvergence::its);
    const verdict found = verdict_of(what, its);
    CHECK((found == verdict::ok) == one.label(fairness_notion::weak, progress_model::fair).value());
    if (found == verdict::ok) CHECK(on_gpu.at(one.id) == "pass");
    CHECK(found == its.expect);
  }
}

// A block of the interpreter takes further steps, which look up its instructions; none of them
// changes who is owed progress, or for how long.
TEST_CASE("the interpreter on blocks of one lane is ok exactly where each model guarantees it") {
  const auto columns = progress_columns({}, {});
  std::size_t compared = 0;
  for (const progress_test& one : read_progress_tests(suite())) {
    CAPTURE(one.id);
    const progress_answer answer(one, 100'000);
    const scenario what =
        parse_scenario(scenario_text(answer, thread_placement::block), "test.toml");
    REQUIRE(what.runs.size() == columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      CAPTURE(name(columns[i].notion));
      CAPTURE(name(columns[i].model));
      const verdict found = verdict_of(what, what.runs[i]);
      CHECK((found == verdict::ok) == one.label(columns[i].notion, columns[i].model).value());
      CHECK(found == what.runs[i].expect);
      ++compared;
    }
  }
  MESSAGE(compared, " answers compared");
}

int main(int argc, char** argv) {
  std::error_code error;
  if (!std::filesystem::exists(suite(), error)) {
    std::printf("skipped: %s is not there; set WARPCHECK_SUITES\n", suite().c_str());
    return test::status_without_suite();
  }
  return doctest::Context(argc, argv).run();
}
