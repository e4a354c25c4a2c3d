// How operations of lanes use a weak memory.
#pragma once

#include "sim/lane/operation.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

sync_scope scope_from(thread_scope scope);

/// How an access or a fence uses memory.
memory_access access_of(const operation& op);

/// Whether `op` is a sequentially consistent access. It takes two steps, and the first is a
/// fence.sc.
bool begins_with_fence(const operation& op);

fence_sides sides_of(const operation& fence);

/// Whether `op` is a fence of memory. A relaxed fence, or one for the lane alone, is none.
bool is_memory_fence(const operation& op);

/// Whether `op` is a strong operation that is not for all lanes of the grid. `grid`: the smallest
/// scope that contains all of them.
bool is_narrow(const operation& op, sync_scope grid);

/// Whether an access of an mbarrier tells its lane only the phase, with the orders that let lanes
/// meet there: an arrival releases, a test acquires. Also true for a plain store, which starts or
/// ends the mbarrier's life. docs/reductions.md, "Phases of mbarriers".
bool keeps_phases(const operation& op);

/// Whether keeps_phases() holds and `op` is no plain store.
bool is_phased(const operation& op);

/// Whether `op` is strong: then a store behind it may be visible before `op` is carried out.
bool is_crossed_by_promises(const operation& op);

}  // namespace simt
