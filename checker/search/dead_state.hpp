// Decides whether a state of a run is a deadlock, and of which kind, or says that it is not known.
#pragma once

#include <cstdint>
#include <optional>

#include "checker/liveness/no_end_proof.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/session.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/machine/its_machine.hpp"
#include "sim/machine/walk/walker.hpp"

namespace warpcheck {

class dead_states {
 public:
  dead_states(session& run, const limits& bounds);

  /// Whether a proof shows that no end can be reached from where `walk` stands, and that nothing
  /// else that is checked can happen on the way. It is fast.
  bool proves(simt::walker& walk);
  /// Like proves(). Without a proof, looks at all that can be reached, if that is little.
  bool decides(simt::walker& walk);
  /// Returns deadlock or simt-deadlock; none: that is not known. `walk` must stand where no end can
  /// be reached. The answer depends on the state alone.
  std::optional<verdict> kind(simt::walker& walk);
  /// Whether the kind is proved to be deadlock. Says less than kind(), and is faster.
  bool is_deadlock(simt::walker& walk);

  /// Returns the work so far, in steps of a run or what takes about as long.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  session& run_;
  limits bounds_;
  no_end_proof proof_;
  std::optional<simt::its_machine> its_;  // under `stack`
  std::optional<no_end_proof> its_proof_;
  std::optional<simt::walker> its_walk_;
  std::uint32_t searches_in_vain_ = 0;
  std::uint64_t work_ = 0;

  bool proves(no_end_proof& proof, simt::state_view state);
  bool can_finish();
};

}  // namespace warpcheck
