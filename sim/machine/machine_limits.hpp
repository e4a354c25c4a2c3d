// Bounds on what one step of the machine does.
#pragma once

namespace simt {

/// Moves without a step that one warp may make in a row under `stack`: its choices of sides, its
/// arrivals at reconvergence blocks. A loop without visible operations makes such moves for ever.
inline constexpr int move_limit = 100'000;

/// Lanes that may wait at one activemask: the machine enumerates the sets of them.
inline constexpr int activemask_limit = 16;

}  // namespace simt
