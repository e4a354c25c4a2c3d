// The published forward-progress tests (Sorensen et al., OOPSLA 2021): every label.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

#include "checker/progress/answer.hpp"
#include "tests/suites.hpp"

using namespace warpcheck;

namespace {

std::filesystem::path suite() { return test::suites_folder() / "forward-progress/tests.jsonl"; }

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

int main(int argc, char** argv) {
  std::error_code error;
  if (!std::filesystem::exists(suite(), error)) {
    std::printf("skipped: %s is not there; set WARPCHECK_SUITES\n", suite().c_str());
    return test::status_without_suite();
  }
  return doctest::Context(argc, argv).run();
}
