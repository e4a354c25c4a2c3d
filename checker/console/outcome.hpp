// Compares how a run ended with what its scenario expects.
#pragma once

#include <algorithm>

#include "checker/console/exit_status.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// The findings of a run: the gravest violation, and all of them. `complete`: everything was
/// explored, so there are no others.
struct finding_set {
  verdict gravest = verdict::inconclusive;
  verdict_set violations = 0;
  bool complete = false;
};

/// Returns as_expected or not_expected, or inconclusive if a missing violation might still have
/// been found.
inline exit_status outcome(const run_settings& settings, const finding_set& found) {
  const verdict expected = settings.expect.value_or(verdict::ok);
  const verdict_set wanted = settings.expect_violations.value_or(found.violations);
  if (found.gravest == expected && found.violations == wanted) return exit_status::as_expected;
  const bool more_is_wrong = (found.violations & ~wanted) != 0 ||
                             (is_violation(found.gravest) && found.gravest < expected);
  return found.complete || more_is_wrong ? exit_status::not_expected : exit_status::inconclusive;
}

/// Returns the exit status of several runs together.
inline exit_status worse(exit_status a, exit_status b) {
  const auto rank = [](exit_status s) {
    return s == exit_status::as_expected ? 0 : s == exit_status::inconclusive ? 1 : 2;
  };
  return rank(b) > rank(a) ? b : a;
}

}  // namespace warpcheck
