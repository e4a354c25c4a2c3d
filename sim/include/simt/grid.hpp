// Where a thread is in its grid.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// The lane's number in its warp, the warp's in its block, the block's in the grid.
SIMT_FN unsigned lane_index() { return detail::index<detail::index_kind::lane>(); }
SIMT_FN unsigned warp_index() { return detail::index<detail::index_kind::warp>(); }
SIMT_FN unsigned block_index() { return detail::index<detail::index_kind::block>(); }

/// The thread's number in the grid, 0 .. grid_size() - 1: by block, then warp, then lane.
SIMT_FN unsigned thread_rank() { return detail::index<detail::index_kind::thread_rank>(); }

/// Lanes of this thread's warp; warps and threads of a block; blocks and threads of the grid.
SIMT_FN unsigned warp_size() { return detail::index<detail::index_kind::warp_size>(); }
SIMT_FN unsigned warp_count() { return detail::index<detail::index_kind::warp_count>(); }
SIMT_FN unsigned block_size() { return detail::index<detail::index_kind::block_size>(); }
SIMT_FN unsigned block_count() { return detail::index<detail::index_kind::block_count>(); }
SIMT_FN unsigned grid_size() { return detail::index<detail::index_kind::grid_size>(); }

/// A constant of an algorithm, such as the number of threads that it has nodes for. It is small
/// where states are explored, and of practical size where the algorithm is measured on a GPU
/// (`warpcheck measure`). Trials on a GPU have the explored one.
constexpr int sized([[maybe_unused]] int explored, [[maybe_unused]] int measured) {
#if defined(SIMT_MEASURED)
  return measured;
#else
  return explored;
#endif
}
/// The largest grid that `warpcheck measure` launches.
inline constexpr int measured_blocks = 1024;
inline constexpr int measured_threads = 1 << 19;

/// Sleeps for about that long, or not at all.
SIMT_FN void nanosleep(unsigned nanoseconds) { detail::nanosleep(nanoseconds); }

}  // namespace simt
