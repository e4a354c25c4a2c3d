// Blocks that run together: clusters of a few of them, and cooperative grids.
//
// A scenario says how many blocks a cluster has (`[grid] cluster = 2`), and whether the launch is
// cooperative (`[grid] cooperative = true`). Clusters need sm_90.
#pragma once

#include <type_traits>

#include <simt/detail/backend.hpp>

namespace simt {

/// The block's number in its cluster, and how many blocks the cluster has.
SIMT_FN unsigned cluster_block_rank() { return detail::index<detail::index_kind::cluster_rank>(); }
SIMT_FN unsigned cluster_size() { return detail::index<detail::index_kind::cluster_size>(); }

/// Waits for all lanes of the cluster that have not exited (PTX barrier.cluster.arrive and .wait,
/// with release and acquire).
SIMT_FN void cluster_sync() { detail::cluster_sync(); }

/// The two halves of it: whoever has arrived (with release) does other work, and then waits (with
/// acquire) for all who have not exited. To arrive twice without a wait, or to wait without having
/// arrived, is an error (PTX barrier.cluster.arrive and .wait).
SIMT_FN void cluster_arrive() { detail::cluster_arrive(); }
SIMT_FN void cluster_wait() { detail::cluster_wait(); }

/// Arrives. Only what is before an earlier fence is told (PTX barrier.cluster.arrive.relaxed).
SIMT_FN void cluster_arrive_relaxed() {
  detail::cluster_arrive<detail::barrier_unaligned | detail::barrier_relaxed>();
}

/// The variable block_shared<T, Tag>() of the block of number `rank` in the cluster (PTX mapa). To
/// access it once that block has ended is an error.
template <class T, class Tag = T>
SIMT_FN T& cluster_shared(unsigned rank) {
  static_assert(std::is_trivially_default_constructible_v<T>,
                "block-shared memory is not constructed: T must be trivially constructible");
  return detail::cluster_shared<T, Tag>(rank);
}

/// Waits for all lanes of the grid, also for those that have exited: then it waits for ever
/// (cooperative_groups::this_grid().sync()). The launch must be cooperative.
SIMT_FN void grid_sync() { detail::grid_sync(); }

}  // namespace simt
