// Generated programs as blocks of the machine, under each model, with weak and strong fairness: the
// engine against the checker of such programs.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "checker/check/check.hpp"
#include "checker/progress/scenario_of.hpp"
#include "checker/scenario/scenario.hpp"
#include "tests/checker/objection.hpp"
#include "tests/progress/generator.hpp"
#include "tests/progress/programs.hpp"
#include "tests/tier.hpp"

using namespace test;
using warpcheck::verdict;

TEST_CASE("generated programs: the interpreter on blocks does what the models guarantee") {
  const std::array reduce{warpcheck::reductions::none(), warpcheck::reductions{}};
  const auto columns = warpcheck::progress_columns({}, {});
  generator next(4);
  std::size_t livelocks = 0;
  const auto [begin, end] =
      test::due_programs(300, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_FIRST");
  for (unsigned i = 0; i < end; ++i) {
    const auto threads = next();
    if (i < begin) continue;
    if (std::ranges::any_of(threads, [](const auto& t) { return t.empty(); })) continue;
    CAPTURE(text_of(threads));
    const auto one = test_of(threads);
    const warpcheck::progress_answer answer(one, 100'000);
    const warpcheck::scenario what = warpcheck::parse_scenario(
        warpcheck::scenario_text(answer, warpcheck::thread_placement::block), "test.toml");
    for (std::size_t c = 0; c < columns.size(); ++c) {
      CAPTURE(name(columns[c].notion));
      CAPTURE(name(columns[c].model));
      for (const warpcheck::reductions& which : reduce) {
        CAPTURE(to_text(which));
        warpcheck::session run(what, what.runs[c]);
        const warpcheck::run_result found = check(run, {}, which);
        CHECK(found.complete);
        CHECK(found.gravest == what.runs[c].expect.value());
        // A livelock may come beside a deadlock; where there is none, it is what is not guaranteed.
        const bool has_livelock = (found.found() & bit(verdict::livelock)) != 0;
        if (*answer.holds(columns[c])) CHECK_FALSE(has_livelock);
        for (const warpcheck::violation& v : found.violations) {
          CHECK(objection(run, v) == "");
          if (v.kind == verdict::livelock) ++livelocks;
        }
      }
    }
  }
  if (end - begin >= 100) CHECK(livelocks * 5 > end - begin);
}
