// PTX's addresses in the shared memory of a cluster: mapa, cvta, isspacep, getctarank.
//
// An address in the shared::cluster window has its block in bits 24 to 31: the rank in the cluster,
// plus 1. There, 0 stands for the block itself. Generic addresses are those of the simulator's
// memory. All is free of branches.
#pragma once

#include <cstdint>

#include <simt/cluster.hpp>
#include <simt/ptx/access.hpp>

namespace simt::ptx {

/// mapa: the same place in the block of that rank.
SIMT_FN constexpr u64 mapped_to(u64 address, u32 rank) {
  return (address & 0xffffff) | static_cast<u64>(rank + 1) << 24;
}

/// getctarank: the rank of the block that the address is of.
SIMT_FN u32 rank_of(u64 address) {
  const u32 block = static_cast<u32>(address >> 24 & 0xff);
  const u32 is_own = static_cast<u32>(block == 0);
  return is_own * simt::cluster_block_rank() + (1 - is_own) * (block - 1);
}

/// barrier.cluster.arrive.relaxed. `tells`: the lane has carried out fence.mbarrier_init behind all
/// of its mbarrier.init.
template <u32 how>
SIMT_FN void cluster_arrive_relaxed(bool tells) {
  using namespace simt::detail;
  const u32 inits = static_cast<u32>(tells) * barrier_tells_inits;
  simt_hook_barrier(pack_barrier(barrier_kind::cluster_arrive, how | barrier_relaxed | inits), 0, 0,
                    false);
}

/// Where the shared memory begins of the block of that rank. `rank`: -1 is the block itself.
template <class T>
SIMT_FN u64 cluster_begin(u32 rank) {
  return reinterpret_cast<u64>(&simt::detail::cluster_shared<T, T>(rank));
}

/// The generic address, where the window begins at 0.
template <class T>
SIMT_FN u64 cluster_place(u64 address) {
  return cluster_begin<T>(static_cast<u32>(address >> 24 & 0xff) - 1) + (address & 0xffffff);
}

/// The address in the window of a generic address, if it is in the block of that rank or of a
/// higher one; otherwise `other`.
template <class T, u32 ranks, u32 rank = 0>
SIMT_FN u64 in_blocks_from(u64 generic, u64 window, u64 other) {
  if constexpr (rank < ranks) {
    const u64 offset = generic - cluster_begin<T>(rank);
    const u64 is_there = static_cast<u64>(offset < sizeof(T));
    const u64 here = (offset + window) | static_cast<u64>(rank + 1) << 24;
    return is_there * here +
           (1 - is_there) * in_blocks_from<T, ranks, rank + 1>(generic, window, other);
  } else {
    return other;
  }
}

/// cvta.to: the address in the window, which begins at `window`, of a generic address. An address
/// of the block itself is one in the shared::cta window.
template <class T, u32 ranks>
SIMT_FN u64 in_cluster_window(u64 shared, u64 generic, u64 window) {
  const u64 own = generic - shared + window;
  const u64 is_own = static_cast<u64>(generic - shared < sizeof(T));
  return is_own * own + (1 - is_own) * in_blocks_from<T, ranks>(generic, window, own);
}

/// isspacep: whether a generic address is in the shared memory of a block of the cluster.
template <class T, u32 ranks>
SIMT_FN bool is_in_cluster(u64 generic) {
  return in_blocks_from<T, ranks>(generic, 0, ~u64{0}) != ~u64{0};
}

}  // namespace simt::ptx
