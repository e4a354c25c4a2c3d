// How a run ended, compared with what its scenario expects.
#pragma once

#include <algorithm>

#include "checker/console/exit_status.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// What a run found: the gravest violation, and all of them. `complete`: everything was explored,
/// so that nothing else can be found.
struct finding_set {
  verdict gravest = verdict::inconclusive;
  verdict_set violations = 0;
  bool complete = false;
};

/// as_expected, not_expected, or inconclusive where what is missing might still have been found.
inline exit_status outcome(const run_settings& settings, const finding_set& found) {
  const verdict expected = settings.expect.value_or(verdict::ok);
  const verdict_set wanted = settings.expect_violations.value_or(found.violations);
  if (found.gravest == expected && found.violations == wanted) return exit_status::as_expected;
  const bool more_is_wrong = (found.violations & ~wanted) != 0 ||
                             (is_violation(found.gravest) && found.gravest < expected);
  return found.complete || more_is_wrong ? exit_status::not_expected : exit_status::inconclusive;
}

/// The exit status of several runs together.
inline exit_status worse(exit_status a, exit_status b) {
  const auto rank = [](exit_status s) {
    return s == exit_status::as_expected ? 0 : s == exit_status::inconclusive ? 1 : 2;
  };
  return rank(b) > rank(a) ? b : a;
}

}  // namespace warpcheck
