// Notes ends of runs and races, as a search sees them when it enters a state.
#pragma once

#include "checker/explore/shared_search.hpp"
#include "checker/explore/state_checks.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

struct seen_endings {
  bool reaches_end = false;  // the run ends in this state, or with a step from it
  /// The state was not checked for races, because no known access could be part of one.
  bool skipped_races = false;
};

/// Looks at `state` and its successors `list`, and reports the violations that the run asks for.
seen_endings note_endings(shared_search& shared, simt::machine& machine, state_checks& checks,
                          simt::state_view state, const simt::successor_list& list);

}  // namespace warpcheck
