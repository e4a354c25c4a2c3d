// Checks a single state or step for a failed final check or a race.
//
// An object serves one thread, like the machine that it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// The check of a complete run's memory. A null result means that all is well.
using final_check = std::function<const char*(std::span<const std::uint8_t>)>;

class state_checks {
 public:
  state_checks(simt::machine& machine, final_check check)
      : machine_(machine), final_check_(std::move(check)) {}

  /// Returns the message of the subject's own check if the complete state `s` fails it, otherwise
  /// null.
  const char* failed_check(simt::state_view s);

  /// Whether the check gives different results for the complete state `s` and some renaming of it.
  /// Also true if there are too many renamings to try.
  bool minds_names(simt::state_view s);

  /// Whether a race begins in `state`. `list` holds the successors that the machine lists for the
  /// search.
  bool has_race(simt::state_view state, const simt::successor_list& list);
  /// Whether a race begins in `state`. Lists the steps itself.
  bool has_race(simt::state_view state);

  /// Returns the choices up to the second access of a race that begins with transition `first` of
  /// `list`: moves that take no step, then the access. `list` holds the steps of `state`, not
  /// reduced where the machine couples steps. Empty: there is no race.
  std::vector<simt::choice> race_with(simt::state_view state, const simt::successor_list& list,
                                      const simt::transition& first);

 private:
  simt::machine& machine_;
  final_check final_check_;
  simt::successor_list list_;
  simt::successor_list then_;
  bool one_sided_ =
      false;  // race_with has seen two conflicting accesses, one of which ends the run
  std::vector<std::uint32_t> accessing_;      // lanes
  std::vector<std::uint8_t> checked_images_;  // 0: not yet, 1: passes, 2: fails
  // Memories for which minds_names() has found equal results.
  boost::unordered_flat_set<std::uint32_t> renamed_images_;
};

}  // namespace warpcheck
