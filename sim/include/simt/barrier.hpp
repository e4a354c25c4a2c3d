// Barriers of a block.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// Waits for all lanes of the block that have not exited.
SIMT_FN void syncthreads() { detail::syncthreads(); }

/// Barrier `id` (0..15) of the block, for `threads` threads: arrives and waits (PTX bar.sync). All
/// lanes of a warp take part together, and the warp counts as 32 threads, whatever its lanes. So
/// `threads` is a multiple of 32. Warps that have exited are waited for all the same. Barrier 0 is
/// the one of syncthreads().
SIMT_FN void bar_sync(unsigned id, unsigned threads) { detail::bar_sync(id, threads); }

/// Without a number of threads: for all of the block that have not exited, as syncthreads().
SIMT_FN void bar_sync(unsigned id) { detail::bar_sync_all(id); }

/// Arrives at barrier `id` without waiting (PTX bar.arrive).
SIMT_FN void bar_arrive(unsigned id, unsigned threads) { detail::bar_arrive(id, threads); }

/// As bar_sync; for how many of the threads `yes` holds, and whether it does for all, or for any
/// (PTX bar.red). Threads that have exited do not count. (Templates, because the simulator needs a
/// variable for them: only subjects that call one have it.)
template <class Bool>
SIMT_FN unsigned bar_red_popc(unsigned id, unsigned threads, Bool yes) {
  return detail::bar_red_popc(id, threads, static_cast<bool>(yes));
}
template <class Bool>
SIMT_FN bool bar_red_and(unsigned id, unsigned threads, Bool yes) {
  return detail::bar_red_and(id, threads, static_cast<bool>(yes));
}
template <class Bool>
SIMT_FN bool bar_red_or(unsigned id, unsigned threads, Bool yes) {
  return detail::bar_red_or(id, threads, static_cast<bool>(yes));
}

/// Named barriers whose participants are counted in warps.
SIMT_FN void named_barrier_sync(unsigned id, unsigned warps) { detail::bar_sync(id, warps * 32); }
SIMT_FN void named_barrier_arrive(unsigned id, unsigned warps) {
  detail::bar_arrive(id, warps * 32);
}

}  // namespace simt
