// The lanes of a warp that have come to a place together, and do there what one of them, or all,
// can do for each. Lanes that come later are others'.
//
// What a lane has done before, alone or in other company, must be seen by whoever now acts for it,
// and what is done for it by the lane itself later. `shfl` and `ballot` order no memory: that needs
// a `syncwarp`, in which the lanes meet.
#pragma once

#include <simt/simt.hpp>

/// Twins that are to be caught do without the `syncwarp`s, or take the lane's number for its rank.
template <bool has_barriers = true, bool counts_lanes = true>
struct lanes_together_of {
  unsigned all;

  SIMT_FN static lanes_together_of here() { return {simt::activemask()}; }

  SIMT_FN void meet() const {
    if constexpr (has_barriers) simt::syncwarp(all);
  }
  SIMT_FN unsigned count() const { return static_cast<unsigned>(simt::popc(all)); }
  /// The lowest lane.
  SIMT_FN int first() const { return simt::ffs(all) - 1; }
  SIMT_FN bool is_first() const { return static_cast<int>(simt::lane_index()) == first(); }
  /// How many of them are below the calling lane.
  SIMT_FN unsigned rank() const {
    if constexpr (!counts_lanes) return simt::lane_index();
    return static_cast<unsigned>(simt::popc(all & ((1U << simt::lane_index()) - 1)));
  }
};

using lanes_together = lanes_together_of<>;
