// The published litmus tests with proxies (Dat3M, PTX 7.5): every answer agrees with the key, and
// none is unknown.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "litmus/report/key.hpp"
#include "tests/suites.hpp"

using namespace litmus;

namespace {

std::filesystem::path suite() { return test::suites_folder() / "ptx-proxy"; }

std::set<std::vector<value>> outcomes_of(const answer& a) {
  std::set<std::vector<value>> all;
  for (const outcome& one : a.outcomes) all.insert(one.values);
  return all;
}

}  // namespace

TEST_CASE("all tests with proxies agree with the key") {
  std::size_t right = 0;
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const answer found = evaluate(read_program(file), {});
    CHECK(found.covered.all);
    CHECK(found.terminates == true);
    CHECK(found.holds == expected.holds);
    if (found.holds == expected.holds) ++right;
  }
  MESSAGE(right, " answers are right");
  CHECK(right >= 65);
}

// A proxy only takes order away. So what generic accesses to one address may do, and what one
// instruction after the other may do, is allowed with proxies, too.
TEST_CASE("proxies only add outcomes") {
  for (const auto& [file, expected] : read_key(suite() / "expected.csv")) {
    CAPTURE(file.string());
    const program p = read_program(file);
    candidate_options generic, sequential;
    generic.rules.proxies_are_told_apart = false;
    generic.rules.addresses_are_told_apart = false;
    sequential.model = memory_model::sc;
    const auto all = outcomes_of(evaluate(p, {}));
    for (const candidate_options& options : {generic, sequential}) {
      for (const auto& values : outcomes_of(evaluate(p, options))) CHECK(all.contains(values));
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
