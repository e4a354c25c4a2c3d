// The threads of a GPU's grid: where they are, and how they wait. For both backends for GPUs
// (cuda.hpp, nvptx.hpp).
#pragma once

#include <simt/detail/launch.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/detail/types.hpp>

namespace simt::detail {

#if defined(__CUDACC__)
SIMT_FN unsigned thread_in_block() { return threadIdx.x; }
SIMT_FN unsigned threads_of_block() { return blockDim.x; }
SIMT_FN unsigned block_in_grid() { return blockIdx.x; }
SIMT_FN unsigned blocks_of_grid() { return gridDim.x; }
#if __CUDA_ARCH__ >= 900
SIMT_FN unsigned cluster_rank() { return __clusterRelativeBlockRank(); }
SIMT_FN unsigned blocks_of_cluster() { return __clusterSizeInBlocks(); }
#else
SIMT_FN unsigned cluster_rank() { return 0; }
SIMT_FN unsigned blocks_of_cluster() { return 1; }
#endif
SIMT_FN long long clock_now() { return ::clock64(); }
#else
SIMT_FN unsigned thread_in_block() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_x()); }
SIMT_FN unsigned threads_of_block() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x()); }
SIMT_FN unsigned block_in_grid() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x()); }
SIMT_FN unsigned blocks_of_grid() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_x()); }
SIMT_FN unsigned cluster_rank() { return 0; }
SIMT_FN unsigned blocks_of_cluster() { return 1; }
SIMT_FN long long clock_now() { return __nvvm_read_ptx_sreg_clock64(); }
#endif

/// Whole warps of 32 are launched. `launch` says how many lanes of each take part.
template <index_kind kind>
SIMT_FN unsigned index() {
  if constexpr (kind == index_kind::lane)
    return thread_in_block() & 31;
  else if constexpr (kind == index_kind::warp)
    return thread_in_block() >> 5;
  else if constexpr (kind == index_kind::block)
    return block_in_grid();
  else if constexpr (kind == index_kind::thread_rank)
    return block_in_grid() * launch.block_threads + launch.first_lane[thread_in_block() >> 5] +
           (thread_in_block() & 31);
  else if constexpr (kind == index_kind::warp_size)
    return launch.lanes[thread_in_block() >> 5];
  else if constexpr (kind == index_kind::warp_count)
    return threads_of_block() >> 5;
  else if constexpr (kind == index_kind::block_size)
    return launch.block_threads;
  else if constexpr (kind == index_kind::block_count)
    return blocks_of_grid();
  else if constexpr (kind == index_kind::cluster_rank)
    return cluster_rank();
  else if constexpr (kind == index_kind::cluster_size)
    return blocks_of_cluster();
  else
    return blocks_of_grid() * launch.block_threads;
}

/// The mixing steps of MurmurHash3.
SIMT_FN unsigned mixed(unsigned bits) {
  bits = (bits ^ bits >> 16) * 0x85ebca6bU;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35U;
  return bits ^ bits >> 16;
}

/// A hash of the thread's number and of how many choices it has made, with the round's seed; in
/// measurements of the thread's number and the clock of its multiprocessor. It is scaled to the
/// numbers below `n`. A number that the thread is told takes its place.
SIMT_FN unsigned choose(unsigned n) {
  const unsigned me = index<index_kind::thread_rank>();
  const choice_record& round = launch.choices;
  const bool is_kept = round.counts != nullptr;
  const unsigned number = is_kept ? round.counts[me]++ : static_cast<unsigned>(clock_now());
  const unsigned bits =
      mixed(me * 0x9e3779b9U ^ (is_kept ? mixed(number ^ round.seed << 16) : number));
  auto chosen = static_cast<unsigned>(static_cast<unsigned long long>(bits) * n >> 32);
  if (!is_kept || number >= most_choices) return chosen;
  const unsigned told = round.told == nullptr ? 0 : round.told[me * most_choices + number];
  if (told != 0 && told <= n) chosen = told - 1;
  round.made[me * most_choices + number] = chosen + 1;
  return chosen;
}

/// The reduction of two values.
template <collective_kind kind>
SIMT_FN unsigned combined(unsigned a, unsigned b) {
  // Signed values are ordered like numbers with the highest bit inverted.
  [[maybe_unused]] constexpr unsigned other_bit =
      kind == collective_kind::reduce_min_signed || kind == collective_kind::reduce_max_signed
          ? 0x80000000U
          : 0U;
  [[maybe_unused]] const unsigned is_less =
      0U - static_cast<unsigned>((b ^ other_bit) < (a ^ other_bit));
  if constexpr (kind == collective_kind::reduce_add)
    return a + b;
  else if constexpr (kind == collective_kind::reduce_and)
    return a & b;
  else if constexpr (kind == collective_kind::reduce_or)
    return a | b;
  else if constexpr (kind == collective_kind::reduce_xor)
    return a ^ b;
  else if constexpr (kind == collective_kind::reduce_min_signed ||
                     kind == collective_kind::reduce_min_unsigned)
    return (b & is_less) | (a & ~is_less);
  else
    return (a & is_less) | (b & ~is_less);
}

/// Surplus lanes of a warp of fewer than 32, and lanes that are not clients, exit at once.
SIMT_FN bool is_client() {
  const unsigned lane = thread_in_block() & 31;
  const unsigned warp = thread_in_block() >> 5;
  if (lane >= launch.lanes[warp]) return false;
  if (launch.clients == client_kind::lane) return true;
  return lane == 0 && (warp == 0 || launch.clients == client_kind::warp);
}

SIMT_FN void wait_cycles(long long cycles) {
  const long long begin = clock_now();
  while (clock_now() - begin < cycles) {
  }
}

/// Lets some accesses wait a little, in the runner and on request, so that lanes meet in other ways
/// than at a GPU's regular pace.
SIMT_APART void delay() {
#if defined(SIMT_DELAYS)
  if (launch.delays == 0) return;
  unsigned x = static_cast<unsigned>(clock_now()) * 0x9e3779b9U;
  x = (x ^ launch.delays ^ thread_in_block() ^ block_in_grid() << 10) * 0x85ebca6bU;
  x ^= x >> 16;
  if ((x & 3) == 0) wait_cycles(x >> 4 & (0x7fffU >> (x >> 29)));
#endif
}

}  // namespace simt::detail
