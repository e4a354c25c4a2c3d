// How operations of lanes use a weak memory.
#pragma once

#include "sim/lane/operation.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

sync_scope scope_from(thread_scope scope);

/// How an access, or a fence, uses memory.
memory_access access_of(const operation& op);

/// A sequentially consistent access: of two steps, the first is a fence.sc.
bool begins_with_fence(const operation& op);

/// A fence that is one for memory: a relaxed one, or one for the lane alone, is none.
bool is_memory_fence(const operation& op);

/// A strong operation that is not meant for all lanes of a grid, whose smallest common scope is
/// `grid`.
bool is_narrow(const operation& op, sync_scope grid);

/// Whether an access of an mbarrier tells its lane the phase alone, with the orders that let lanes
/// meet there: an arrival releases, a test acquires. Or it is a plain store, which begins or ends
/// the mbarrier's life. docs/reductions.md, "Phases of mbarriers".
bool keeps_phases(const operation& op);

/// An access of that kind, and no plain store.
bool is_phased(const operation& op);

/// Something strong: a store behind it may be visible before it is carried out.
bool is_crossed_by_promises(const operation& op);

}  // namespace simt
