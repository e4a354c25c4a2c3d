// Decides under weak memory whether a state of a run is a deadlock, and of which kind.
//
// It judges as the exploration does (depth_first.hpp, end_search.hpp): by a look at all that can be
// reached from the state, if that is little. The abstract interpretation that proves states dead
// only knows memory in order. A state with an open promise is not judged: the promise must be kept
// first.
#pragma once

#include <cstdint>
#include <optional>

#include "checker/run/limits.hpp"
#include "checker/run/session.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/machine/its_machine.hpp"
#include "sim/machine/weak/weak_walker.hpp"

namespace warpcheck {

class weak_dead_states {
 public:
  /// `machine` uses these stores, and makes the runs.
  weak_dead_states(const session& run, simt::machine_stores& stores, simt::machine& machine,
                   const limits& bounds);

  // Like the functions of dead_states. If the machine has news, answers are void.

  /// Takes a short look.
  bool proves(const simt::weak_walker& walk);
  /// Takes a longer look.
  bool decides(const simt::weak_walker& walk);
  std::optional<verdict> kind(const simt::weak_walker& walk);
  bool is_deadlock(const simt::weak_walker& walk) { return kind(walk) == verdict::deadlock; }
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// The work of a step of one lane, in steps of ordered memory: each lane knows something of every
  /// other.
  static constexpr std::uint64_t work_of_step(std::uint64_t lanes) {
    return 16 + 2 * lanes * lanes;
  }

 private:
  simt::machine& machine_;
  limits bounds_;
  std::optional<simt::its_machine> its_;  // under `stack`
  std::uint32_t searches_in_vain_ = 0;
  std::uint64_t work_ = 0;

  [[nodiscard]] std::uint64_t work_of_state() const;
  [[nodiscard]] std::uint64_t states_of(std::uint64_t most, std::uint64_t work) const;
  bool never_ends(const simt::weak_walker& walk, std::uint64_t states);
};

}  // namespace warpcheck
