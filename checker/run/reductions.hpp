// Which reductions an exploration uses: docs/reductions.md.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

struct reductions {
  /// Continuations that behave alike are one (sim/automaton/lane_automaton.hpp).
  bool merge = true;
  /// Lanes, warps and blocks may change places (sim/machine/reduce/symmetry.hpp).
  bool symmetry = true;
  /// Steps that commute with all others come first (sim/machine/reduce/steps_ahead.hpp).
  bool order = true;
  /// States from which no end can be reached are proved dead (no_end_proof.hpp).
  bool dead = true;
  /// Asks whether a run is right with weaker fences, too (check/check.cpp).
  bool fences = true;
  /// Extends `order` to grids of few lanes: asks what others can come to while a lane stands still.
  /// There, it mostly costs more than it spares; tests try it.
  bool asks_in_small_grids = false;

  static constexpr reductions none() { return {false, false, false, false, false, false}; }
  friend bool operator==(const reductions&, const reductions&) = default;
};

/// Reads "all", "none", or names with commas between. Throws usage_error.
reductions reductions_from(std::string_view text);
/// The inverse: "none" or the names of those that are on.
std::string to_text(const reductions& which);

}  // namespace warpcheck
