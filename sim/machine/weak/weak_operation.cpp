// Maps operations of lanes to the terms of the PTX memory model.
#include "sim/machine/weak/weak_operation.hpp"

#include <simt/detail/mbarrier_word.hpp>

namespace simt {

sync_scope scope_from(thread_scope scope) {
  switch (scope) {
    case thread_scope_system: return sync_scope::sys;
    case thread_scope_device: return sync_scope::gpu;
    case thread_scope_cluster: return sync_scope::cluster;
    case thread_scope_block:
    case thread_scope_thread: return sync_scope::cta;
  }
  return sync_scope::sys;
}

memory_access access_of(const operation& op) {
  memory_access how;
  how.strong = !op.weak && op.scope != thread_scope_thread;
  if (!how.strong) return how;
  using enum memory_order;
  how.returns_nothing = op.kind == operation_kind::memory && op.mask == 1;
  how.acquire = op.order != relaxed && op.order != release && !how.returns_nothing;
  how.release = op.order == release || op.order == acq_rel;
  how.scope = scope_from(op.scope);
  return how;
}

fence_sides sides_of(const operation& fence) {
  if (fence.mask == 0) return fence_sides::both;
  return fence.order == memory_order::acquire ? fence_sides::acquires : fence_sides::releases;
}

bool begins_with_fence(const operation& op) {
  return !op.weak && op.order == memory_order::seq_cst && op.scope != thread_scope_thread;
}

bool is_memory_fence(const operation& op) {
  return op.kind == operation_kind::fence && op.scope != thread_scope_thread &&
         op.order != memory_order::relaxed;
}

bool is_narrow(const operation& op, sync_scope grid) {
  const bool nobody = op.weak || op.scope == thread_scope_thread;
  return !nobody && scope_from(op.scope) < grid;
}

bool is_phased(const operation& op) {
  if (op.kind != operation_kind::memory || op.weak || op.scope == thread_scope_thread) return false;
  if (op.memory == detail::memory_kind::load) {
    const bool tests =
        op.operand == detail::mbarrier_tested || op.operand == detail::mbarrier_tested_by_token;
    return tests && op.order == memory_order::acquire;
  }
  const bool tells_phase = op.memory == detail::memory_kind::mbarrier &&
                           (op.compare & detail::mbarrier_tells_counts) == 0;
  return tells_phase && op.order == memory_order::release;
}

bool keeps_phases(const operation& op) {
  return is_phased(op) || (op.memory == detail::memory_kind::store && op.weak);
}

bool is_crossed_by_promises(const operation& op) {
  const bool loads = op.kind == operation_kind::memory && op.memory != detail::memory_kind::store;
  return (loads && !op.weak) || op.order == memory_order::seq_cst;
}

}  // namespace simt
