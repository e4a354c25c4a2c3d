// Which states of an execution under `stack` could end under independent thread scheduling.
#pragma once

#include "checker/explore/ends/end_search.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/its_machine.hpp"

namespace warpcheck {

/// The run's setup, but for independent thread scheduling.
simt::machine_setup under_its(const session& run);

class independent_end {
 public:
  /// The run's model is `stack`.
  explicit independent_end(session& run);

  /// The answer for a state of the run's machine; `unknown` if it takes too long.
  end_search::answer of(simt::state_view state);

 private:
  limits bounds_;
  simt::its_machine machine_;
  end_search search_;
};

}  // namespace warpcheck
