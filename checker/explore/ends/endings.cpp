// Reports what a state and its steps show at once, before anything is known of later states.
#include "checker/explore/ends/endings.hpp"

#include "checker/run/ending.hpp"
#include "checker/run/object.hpp"

namespace warpcheck {

seen_endings note_endings(shared_search& shared, simt::machine& machine, state_checks& checks,
                          simt::state_view state, const simt::successor_list& list) {
  seen_endings seen;
  if (list.here != simt::ending::none) {
    seen.reaches_end = true;
    shared.report_if_wanted(verdict::barrier_divergence);
  } else if (list.transitions.empty() && machine.is_complete(state)) {
    seen.reaches_end = true;
    if (shared.wants(verdict::assertion)) {
      if (checks.failed_check(state) != nullptr) shared.report(verdict::assertion);
      if (!shared.minds_names && checks.minds_names(state)) shared.minds_names = true;
    }
  }
  if ((shared.options.check & of_histories) != 0) {
    shared.report_all(verdicts_of(machine.broken(state)));
  }
  for (const simt::transition& t : list.transitions) {
    if (t.ends == simt::ending::none) continue;
    seen.reaches_end = true;
    shared.report_if_wanted(verdict_of(t.ends));
  }
  if (!shared.wants(verdict::race)) return seen;
  if (list.suspicious || (machine.couples_steps() && machine.may_race())) {
    if (checks.has_race(state, list)) shared.report(verdict::race);
  } else if (machine.couples_steps()) {
    seen.skipped_races = true;
  }
  return seen;
}

}  // namespace warpcheck
