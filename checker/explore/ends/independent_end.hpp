// Decides which states of an execution under `stack` could end under independent thread scheduling.
#pragma once

#include "checker/explore/ends/end_search.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/its_machine.hpp"

namespace warpcheck {

/// Returns the run's setup, changed to independent thread scheduling.
simt::machine_setup under_its(const session& run);

class independent_end {
 public:
  /// The run's model must be `stack`.
  explicit independent_end(session& run);

  /// Returns the answer for a state of the run's machine, or `unknown` if the search takes too
  /// long.
  end_search::answer of(simt::state_view state);

 private:
  limits bounds_;
  simt::its_machine machine_;
  end_search search_;
};

}  // namespace warpcheck
