// Checks a scenario under a neighbouring model, for a short time.
#include "checker/commands/run/other_model.hpp"

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"

namespace warpcheck {

std::string other_model(const scenario& subject, const run_settings& settings,
                        const run_result& found) {
  // A run that was too large here is too large there.
  if (found.stopped.reason == stop_reason::single_runs ||
      found.stopped.reason == stop_reason::long_after_violation)
    return {};
  run_settings other = settings;
  std::string under;
  if (found.gravest == verdict::livelock && settings.progress != simt::progress::fair) {
    other.progress = simt::progress::fair;
    under = "With fair scheduling (fair)";
  } else if (settings.machine.reconvergence == simt::reconvergence::stack) {
    other.machine.reconvergence = simt::reconvergence::its;
    under = "Under independent thread scheduling (its)";
  } else {
    other.machine.reconvergence = simt::reconvergence::stack;
    under = "Under pre-Volta reconvergence (stack)";
  }
  limits bounds;
  bounds.max_states = 200'000;
  bounds.time = 2;  // seconds
  bounds.grace = 0.25;
  bounds.stop = &stop_requested;
  if (bounds.is_over()) return {};
  try {
    const auto ready = open_session(subject, other, {.over = [&] { return bounds.reached(0); }});
    const run_result result = check(*ready, bounds);
    if (!result.complete || (result.found() & bit(found.gravest)) != 0) return {};
    return result.gravest == verdict::ok ? fmt::format("{}: ok.", under)
                                         : fmt::format("{} there is no {}, but: {}.", under,
                                                       name(found.gravest), name(result.gravest));
  } catch (const std::exception&) {
    return {};  // the line is only an aside
  }
}

}  // namespace warpcheck
