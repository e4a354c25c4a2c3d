// Asynchronous copies: they are carried out at some moment between their issue and their end, while
// the lane goes on. Names are those of PTX and of cuda::ptx.
//
// A lane waits for its copies by groups, or, of bulk loads, by an mbarrier that counts their bytes.
// In the simulator an agent of the block carries out all copies, in any order. A subject that calls
// none of these functions has no agent: that is what their parameter T is for. Bulk copies belong
// to the async proxy: fence_proxy_async() orders them behind what lanes have written.
#pragma once

#include <simt/check.hpp>
#include <simt/detail/backend.hpp>
#include <simt/mbarrier.hpp>

#if defined(__CUDACC__) || defined(__NVPTX__)
#include <simt/detail/copies_gpu.hpp>
#else
#include <simt/detail/copies.hpp>
#endif

namespace simt {

/// Copies `size` bytes (4, 8 or 16) from global to block-shared memory. Needs sm_80.
template <unsigned size, class T = void>
SIMT_FN void cp_async(void* shared, const void* global) {
  static_assert(size == 4 || size == 8 || size == 16, "cp.async copies 4, 8 or 16 bytes");
  detail::use_copies<T>();
  detail::cp_async<size>(shared, global);
}

/// The lane's copies by cp_async since the last call are a group.
template <class T = void>
SIMT_FN void cp_async_commit_group() {
  detail::use_copies<T>();
  detail::cp_async_commit_group();
}

/// Waits for all groups of the lane but the last `groups`. What they have copied is told to this
/// lane alone.
template <unsigned groups, class T = void>
SIMT_FN void cp_async_wait_group() {
  detail::use_copies<T>();
  detail::cp_async_wait_group<groups>();
}

/// Copies a multiple of 16 bytes from global to block-shared memory, and then transfers as many
/// bytes at the mbarrier. Needs sm_90, as all that follows.
template <class T = void>
SIMT_FN void cp_async_bulk_load(void* shared, const void* global, unsigned bytes, mbarrier& end) {
  detail::use_copies<T>();
  detail::cp_async_bulk_load(shared, global, bytes, &end.word);
}

/// Copies a multiple of 16 bytes from block-shared memory to that of another block of the cluster,
/// and then transfers as many bytes at that block's mbarrier. Both are by cluster_shared(). Threads
/// there wait as for a load, with the scope of their block.
template <class T = void>
SIMT_FN void cp_async_bulk_to_cluster(void* peer, const void* shared, unsigned bytes,
                                      mbarrier& end) {
  detail::use_copies<T>();
  detail::cp_async_bulk_to_cluster(peer, shared, bytes, &end.word);
}

/// Copies a multiple of 16 bytes from block-shared to global memory. Its end is waited for by
/// groups.
template <class T = void>
SIMT_FN void cp_async_bulk_store(void* global, const void* shared, unsigned bytes) {
  detail::use_copies<T>();
  detail::cp_async_bulk_store(global, shared, bytes);
}

/// The lane's bulk stores since the last call are a group.
template <class T = void>
SIMT_FN void cp_async_bulk_commit_group() {
  detail::use_copies<T>();
  detail::cp_async_bulk_commit_group();
}

/// Waits until all groups of the lane but the last `groups` are complete; or have read all that
/// they copy, so that it may be overwritten.
template <unsigned groups, class T = void>
SIMT_FN void cp_async_bulk_wait_group() {
  detail::use_copies<T>();
  detail::cp_async_bulk_wait_group<groups>();
}
template <unsigned groups, class T = void>
SIMT_FN void cp_async_bulk_wait_group_read() {
  detail::use_copies<T>();
  detail::cp_async_bulk_wait_group_read<groups>();
}

/// What was written before is there for bulk copies that come after.
template <class T = void>
SIMT_FN void fence_proxy_async() {
  detail::use_copies<T>();
  detail::fence_proxy_async();
}

}  // namespace simt
