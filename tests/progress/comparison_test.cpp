// The checker against the reference on generated programs, and its evidence carried out again.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "checker/progress/evidence.hpp"
#include "tests/progress/generator.hpp"
#include "tests/progress/programs.hpp"
#include "tests/progress/reference.hpp"

using namespace test;

namespace {

/// Carries out steps by the reference's rules, and compares what is said of each.
void follow(const reference& second, progress_model model,
            const std::vector<warpcheck::progress_step>& steps, state& at, bool only_owed) {
  for (const warpcheck::progress_step& s : steps) {
    REQUIRE_FALSE(second.finished(at, s.thread));
    CHECK(at.at[s.thread] == s.at);
    warpcheck::thread_set owed = 0;
    for (const std::size_t t : second.fair(model, at)) owed |= warpcheck::thread_set{1} << t;
    CHECK(owed == s.owed);
    if (only_owed) CHECK((owed >> s.thread & 1) == 1);
    at = second.step(at, s.thread);
    CHECK(at.at[s.thread] == s.to);
  }
}

void check_evidence(const warpcheck::progress_answer& answer, const reference& second,
                    warpcheck::progress_column column) {
  const warpcheck::progress_evidence why = warpcheck::evidence(answer, column);
  const bool strong = column.notion == fairness_notion::strong;
  state at = second.initial();
  follow(second, column.model, why.prefix, at, false);
  if (strong) CHECK_FALSE(second.can_end(column.model, at));
  follow(second, column.model, why.walk, at, true);
  const state begin = at;
  REQUIRE_FALSE(why.cycle.empty());
  follow(second, column.model, why.cycle, at, strong);
  CHECK(at == begin);
  for (const std::size_t t : second.fair(column.model, begin)) {
    CHECK(std::ranges::any_of(why.cycle, [t](const auto& step) { return step.thread == t; }));
  }
  CHECK_FALSE(warpcheck::render(answer, column, why).empty());
}

}  // namespace

TEST_CASE("generated programs: the checker and the reference agree, and evidence holds") {
  generator next(2021);
  std::size_t no = 0;
  for (int i = 0; i < 400; ++i) {
    const auto threads = next();
    CAPTURE(text_of(threads));
    const auto one = test_of(threads);
    const warpcheck::progress_answer answer(one, 100'000);
    REQUIRE(answer.graph().complete());
    const reference second(one.program);
    for (const auto column : warpcheck::progress_columns({}, {})) {
      const bool holds = answer.holds(column).value();
      CHECK(holds == second.guaranteed(column.notion, column.model));
      if (holds) continue;
      ++no;
      check_evidence(answer, second, column);
    }
  }
  CHECK(no > 200);
}

TEST_CASE("generated programs: what implies what") {
  generator next(7);
  for (int i = 0; i < 3000; ++i) {
    const auto threads = next();
    CAPTURE(text_of(threads));
    const auto one = test_of(threads);
    const warpcheck::progress_answer answer(one, 100'000);
    for (const fairness_notion notion : warpcheck::fairness_notions) {
      const auto holds = [&](progress_model model) { return *answer.holds({notion, model}); };
      const auto implies = [&](progress_model a, progress_model b) {
        CHECK((!holds(a) || holds(b)));
      };
      implies(progress_model::hsa, progress_model::hsa_obe);
      implies(progress_model::obe, progress_model::hsa_obe);
      implies(progress_model::hsa_obe, progress_model::lobe);
      implies(progress_model::lobe, progress_model::fair);
    }
    for (const progress_model model : warpcheck::progress_models) {
      CHECK((!*answer.holds({fairness_notion::weak, model}) ||
             *answer.holds({fairness_notion::strong, model})));
    }
  }
}

TEST_CASE("generated programs: LOBE is the same if it owes the lowest thread progress, too") {
  generator next(11);
  for (int i = 0; i < 300; ++i) {
    const auto threads = next();
    CAPTURE(text_of(threads));
    const auto one = test_of(threads);
    const warpcheck::progress_answer answer(one, 100'000);
    const reference other(one.program, reading::lobe_lowest_too);
    for (const fairness_notion notion : warpcheck::fairness_notions) {
      CHECK(*answer.holds({notion, progress_model::lobe}) ==
            other.guaranteed(notion, progress_model::lobe));
    }
  }
}
