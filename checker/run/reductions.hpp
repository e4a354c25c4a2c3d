// Which reductions an exploration uses: docs/reductions.md.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

struct reductions {
  bool merge = true;  // continuations that behave alike are one (sim/automaton/lane_automaton.hpp)
  bool symmetry =
      true;  // lanes, warps and blocks that may change places (sim/machine/reduce/symmetry.hpp)
  bool order =
      true;  // steps that commute with all others first (sim/machine/reduce/steps_ahead.hpp)
  bool dead = true;    // states from which no end can be reached (no_end_proof.hpp)
  bool fences = true;  // whether a run is right with weaker fences, too (check/check.cpp)
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
