// Vocabulary shared by device code, the simulator and the GPU runner. Names follow libcu++.
#pragma once

#include <cstdint>

namespace simt {

/// C++ memory orders, with the spellings of both C++11 and C++20.
enum class memory_order : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

/// The threads an operation is meant to be seen by (cuda::thread_scope).
enum thread_scope : std::uint8_t {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread,
  thread_scope_cluster,  // of PTX: between block and device (not in libcu++)
};

namespace detail {

/// What a memory operation does. `compare_exchange` stores only where the old value equals the
/// expected one. `add_wrap` and `sub_wrap` are CUDA's atomicInc and atomicDec. `pool_take` and
/// `pool_retire` act on a word that says which nodes of a pool are in use (pool.hpp), `mbarrier` on
/// the word of an mbarrier (mbarrier_word.hpp). `add_float` adds numbers of type float or double,
/// by their size, or those of 16 bits that `compare` names (ptx/access.hpp), and rounds to the
/// nearest. The rest are of asynchronous copies (async.hpp).
/// `copy_claim` and `copy_post` hand a copy to the agent of the block. The agent reads by
/// `async_load` and writes by `async_store`, 4 bytes each: bit 32 of the answer says whether the
/// generic proxy has written there since the last `proxy_fence`. `copy_view` changes no memory: it
/// says what a copy knows of memory (copy_views in agent.hpp).
enum class memory_kind : std::uint8_t {
  load,
  store,
  exchange,
  compare_exchange,
  add,
  bit_and,
  bit_or,
  bit_xor,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  add_wrap,
  sub_wrap,
  pool_take,
  pool_retire,
  mbarrier,
  add_float,
  copy_claim,
  copy_post,
  async_load,
  async_store,
  proxy_fence,
  copy_view,
};

/// A word of a pool. The lowest bits are the set of nodes that were retired. Above them stands how
/// many of the word's nodes have ever been handed out: always the first ones.
inline constexpr std::uint32_t pool_word_nodes = 56;
/// What `pool_take` answers where no node is left.
inline constexpr std::uint32_t pool_no_node = 0xff;

/// Operations that the lanes of a warp carry out together.
enum class collective_kind : std::uint8_t {
  syncwarp,
  shfl,
  ballot,
  any,
  all,
  match_any,
  match_all,
  activemask,
  undefined,  // no collective: the lane uses a value that a shuffle did not get
  reduce_add,
  reduce_min_signed,
  reduce_max_signed,
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_and,
  reduce_or,
  reduce_xor,
};

constexpr bool is_reduction(collective_kind kind) { return kind >= collective_kind::reduce_add; }

/// How `shfl` picks the lane that it reads from (CUDA's idx, up, down, xor).
enum class shfl_mode : std::uint8_t { index, up, down, exclusive_or };

enum class barrier_kind : std::uint8_t {
  syncthreads,
  named_sync,
  named_arrive,
  cluster_sync,
  grid_sync,
  cluster_arrive,
  cluster_wait,
};

/// How a barrier is called. `barrier_unaligned`: the lanes of a warp may stand at different places
/// of the program (PTX barrier without .aligned). `barrier_relaxed`: an arrival that tells what is
/// before a fence. `barrier_tells_inits`: and the mbarriers that the lane has initialized (PTX
/// fence.mbarrier_init). `barrier_counts`, `barrier_all`, `barrier_any`: a reduction (PTX .red)
/// tells how many lanes have said yes, whether all have, whether any has.
inline constexpr std::uint32_t barrier_unaligned = 1, barrier_relaxed = 2, barrier_counts = 4,
                               barrier_all = 8, barrier_any = 16, barrier_tells_inits = 32,
                               barrier_reduces = barrier_counts | barrier_all | barrier_any;

/// The result of the reduction of a barrier called so, if `yes` of the `all` lanes that pass it
/// have said yes. 0 without a reduction.
constexpr std::uint32_t barrier_result(std::uint32_t called, std::uint32_t yes, std::uint32_t all) {
  if ((called & barrier_counts) != 0) return yes;
  if ((called & barrier_all) != 0) return yes == all ? 1 : 0;
  return (called & barrier_any) != 0 && yes != 0 ? 1 : 0;
}

/// What the elements of a device array are: only integers can have start values in a scenario.
enum class element_kind : std::uint8_t { signed_integer, unsigned_integer, other };

/// Which place `simt_hook_index` is asked for.
enum class index_kind : std::uint8_t {
  lane,          // in the warp
  warp,          // in the block
  block,         // in the grid
  thread_rank,   // in the grid, 0 .. grid_size - 1
  warp_size,     // lanes of this lane's warp
  warp_count,    // warps of a block
  block_size,    // threads of a block
  block_count,   // blocks of the grid
  grid_size,     // threads of the grid
  cluster_rank,  // the block's number in its cluster
  cluster_size,  // blocks of a cluster
  copies,        // whether the lane is the agent that copies for its block
};

}  // namespace detail
}  // namespace simt
