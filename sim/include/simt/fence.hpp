// Memory fences.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// A fence of that order and scope (cuda::atomic_thread_fence).
SIMT_FN void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  detail::fence(order, scope);
}

/// CUDA's fences: sequentially consistent, of device, block or system scope.
SIMT_FN void __threadfence() { detail::legacy_fence<thread_scope_device>(); }
SIMT_FN void __threadfence_block() { detail::legacy_fence<thread_scope_block>(); }
SIMT_FN void __threadfence_system() { detail::legacy_fence<thread_scope_system>(); }

}  // namespace simt
