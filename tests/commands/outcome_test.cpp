// Tests what a run counts as, given its verdict and the expected one: expected, surprising or
// inconclusive.
#include "checker/console/outcome.hpp"

#include <doctest/doctest.h>

using namespace warpcheck;

namespace {

constexpr verdict_set race = bit(verdict::race);
constexpr verdict_set deadlock = bit(verdict::deadlock);

run_settings expecting(std::optional<verdict> expect, std::optional<verdict_set> violations = {}) {
  run_settings settings;
  settings.expect = expect;
  settings.expect_violations = violations;
  return settings;
}

}  // namespace

TEST_CASE("where nothing is expected, only ok will do") {
  const run_settings nothing = expecting({});
  CHECK(outcome(nothing, {verdict::ok, 0, true}) == exit_status::as_expected);
  CHECK(outcome(nothing, {verdict::race, race, true}) == exit_status::not_expected);
  CHECK(outcome(nothing, {verdict::inconclusive, 0, false}) == exit_status::inconclusive);
  CHECK(outcome(nothing, {verdict::race, race, false}) == exit_status::not_expected);
}

TEST_CASE("the verdict must be the expected one") {
  const run_settings settings = expecting(verdict::race);
  CHECK(outcome(settings, {verdict::race, race, true}) == exit_status::as_expected);
  CHECK(outcome(settings, {verdict::ok, 0, true}) == exit_status::not_expected);
  CHECK(outcome(settings, {verdict::deadlock, deadlock | race, true}) == exit_status::not_expected);
  CHECK(outcome(settings, {verdict::inconclusive, 0, false}) == exit_status::inconclusive);
  CHECK(outcome(expecting(verdict::inconclusive), {verdict::inconclusive, 0, false}) ==
        exit_status::as_expected);
}

TEST_CASE("the set of violations must be the expected one, as far as the run came") {
  const run_settings both = expecting(verdict::deadlock, deadlock | race);
  CHECK(outcome(both, {verdict::deadlock, deadlock | race, true}) == exit_status::as_expected);
  CHECK(outcome(both, {verdict::deadlock, deadlock, true}) == exit_status::not_expected);
  CHECK(outcome(both, {verdict::deadlock, deadlock, false}) == exit_status::inconclusive);
  const run_settings one = expecting(verdict::deadlock, deadlock);
  CHECK(outcome(one, {verdict::deadlock, deadlock | race, false}) == exit_status::not_expected);
}

TEST_CASE("of several runs, the worst counts") {
  CHECK(worse(exit_status::as_expected, exit_status::inconclusive) == exit_status::inconclusive);
  CHECK(worse(exit_status::not_expected, exit_status::inconclusive) == exit_status::not_expected);
  CHECK(worse(exit_status::as_expected, exit_status::as_expected) == exit_status::as_expected);
}
