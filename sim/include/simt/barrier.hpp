// Barriers of a block.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// Waits for all lanes of the block that have not exited.
SIMT_FN void syncthreads() { detail::syncthreads(); }

/// Barrier `id` (0..15) of the block, for `warps` warps: arrives and waits (PTX bar.sync). All
/// lanes of a warp take part together.
SIMT_FN void named_barrier_sync(unsigned id, unsigned warps) {
  detail::named_barrier_sync(id, warps);
}

/// Arrives at barrier `id` without waiting (PTX bar.arrive).
SIMT_FN void named_barrier_arrive(unsigned id, unsigned warps) {
  detail::named_barrier_arrive(id, warps);
}

}  // namespace simt
