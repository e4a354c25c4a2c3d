// The CUDA backend: every operation is libcu++'s, or the intrinsic, with nothing added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include <cooperative_groups.h>

#include <cuda/atomic>

#include <simt/detail/gpu_threads.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/launch.hpp>
#include <simt/detail/qualifiers.hpp>

namespace simt::detail {

SIMT_FN constexpr cuda::std::memory_order cuda_order(memory_order order) {
  return static_cast<cuda::std::memory_order>(order);
}
static_assert(static_cast<int>(memory_order::consume) ==
              static_cast<int>(cuda::std::memory_order_consume));
static_assert(static_cast<int>(memory_order::acquire) ==
              static_cast<int>(cuda::std::memory_order_acquire));
static_assert(static_cast<int>(memory_order::release) ==
              static_cast<int>(cuda::std::memory_order_release));
static_assert(static_cast<int>(memory_order::acq_rel) ==
              static_cast<int>(cuda::std::memory_order_acq_rel));
static_assert(static_cast<int>(memory_order::seq_cst) ==
              static_cast<int>(cuda::std::memory_order_seq_cst));

constexpr __host__ __device__ cuda::thread_scope cuda_scope(thread_scope scope) {
  return scope == thread_scope_system   ? cuda::thread_scope_system
         : scope == thread_scope_device ? cuda::thread_scope_device
         // libcu++ has no scope of a cluster, so the next wider one is used.
         : scope == thread_scope_cluster ? cuda::thread_scope_device
         : scope == thread_scope_block   ? cuda::thread_scope_block
                                         : cuda::thread_scope_thread;
}

// --- memory ---

template <thread_scope scope, class T>
SIMT_FN cuda::atomic_ref<T, cuda_scope(scope)> ref(T* address) {
  delay();
  return cuda::atomic_ref<T, cuda_scope(scope)>(*address);
}

template <thread_scope scope, class T>
SIMT_FN T atomic_load(T* address, memory_order order) {
  return ref<scope>(address).load(cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN void atomic_store(T* address, T value, memory_order order) {
  ref<scope>(address).store(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_exchange(T* address, T value, memory_order order) {
  return ref<scope>(address).exchange(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order order) {
  return ref<scope>(address).compare_exchange_strong(expected, desired, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order success,
                                     memory_order failure) {
  return ref<scope>(address).compare_exchange_strong(expected, desired, cuda_order(success),
                                                     cuda_order(failure));
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order order) {
  return ref<scope>(address).compare_exchange_weak(expected, desired, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order success,
                                          memory_order failure) {
  return ref<scope>(address).compare_exchange_weak(expected, desired, cuda_order(success),
                                                   cuda_order(failure));
}

template <thread_scope scope, class T, class D>
SIMT_FN T atomic_fetch_add(T* address, D value, memory_order order) {
  return ref<scope>(address).fetch_add(value, cuda_order(order));
}

template <thread_scope scope, class T, class D>
SIMT_FN T atomic_fetch_sub(T* address, D value, memory_order order) {
  return ref<scope>(address).fetch_sub(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_and(T* address, T value, memory_order order) {
  return ref<scope>(address).fetch_and(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_or(T* address, T value, memory_order order) {
  return ref<scope>(address).fetch_or(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_xor(T* address, T value, memory_order order) {
  return ref<scope>(address).fetch_xor(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_min(T* address, T value, memory_order order) {
  return ref<scope>(address).fetch_min(value, cuda_order(order));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_max(T* address, T value, memory_order order) {
  return ref<scope>(address).fetch_max(value, cuda_order(order));
}

// --- CUDA's own atomics ---

template <thread_scope scope, class T>
SIMT_FN T legacy_compare_exchange(T* address, T compare, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicCAS_block(address, compare, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicCAS(address, compare, value);
  else
    return ::atomicCAS_system(address, compare, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_exchange(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicExch_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicExch(address, value);
  else
    return ::atomicExch_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_add(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicAdd_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicAdd(address, value);
  else
    return ::atomicAdd_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_sub(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicSub_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicSub(address, value);
  else
    return ::atomicSub_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_min(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicMin_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicMin(address, value);
  else
    return ::atomicMin_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_max(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicMax_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicMax(address, value);
  else
    return ::atomicMax_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_and(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicAnd_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicAnd(address, value);
  else
    return ::atomicAnd_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_or(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicOr_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicOr(address, value);
  else
    return ::atomicOr_system(address, value);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_xor(T* address, T value) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicXor_block(address, value);
  else if constexpr (scope == thread_scope_device)
    return ::atomicXor(address, value);
  else
    return ::atomicXor_system(address, value);
}

template <thread_scope scope>
SIMT_FN unsigned legacy_inc(unsigned* address, unsigned limit) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicInc_block(address, limit);
  else if constexpr (scope == thread_scope_device)
    return ::atomicInc(address, limit);
  else
    return ::atomicInc_system(address, limit);
}

template <thread_scope scope>
SIMT_FN unsigned legacy_dec(unsigned* address, unsigned limit) {
  delay();
  if constexpr (scope == thread_scope_block)
    return ::atomicDec_block(address, limit);
  else if constexpr (scope == thread_scope_device)
    return ::atomicDec(address, limit);
  else
    return ::atomicDec_system(address, limit);
}

// --- fences ---

SIMT_FN void fence(memory_order order, thread_scope scope) {
  cuda::atomic_thread_fence(cuda_order(order), cuda_scope(scope));
}

template <thread_scope scope>
SIMT_FN void legacy_fence() {
  if constexpr (scope == thread_scope_block)
    ::__threadfence_block();
  else if constexpr (scope == thread_scope_device)
    ::__threadfence();
  else
    ::__threadfence_system();
}

// --- the lanes of a warp ---

SIMT_FN void syncwarp(unsigned mask) { ::__syncwarp(mask); }

template <shfl_mode mode, class T>
SIMT_FN T shfl_word(unsigned mask, T value, unsigned source, int width) {
  if constexpr (mode == shfl_mode::index)
    return ::__shfl_sync(mask, value, static_cast<int>(source), width);
  else if constexpr (mode == shfl_mode::up)
    return ::__shfl_up_sync(mask, value, source, width);
  else if constexpr (mode == shfl_mode::down)
    return ::__shfl_down_sync(mask, value, source, width);
  else
    return ::__shfl_xor_sync(mask, value, static_cast<int>(source), width);
}

/// CUDA shuffles arithmetic types; others travel as an integer of their size.
template <shfl_mode mode, class T>
SIMT_FN T shfl(unsigned mask, T value, unsigned source, int width) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  if constexpr (std::is_arithmetic_v<T>) {
    return shfl_word<mode>(mask, value, source, width);
  } else {
    using word = std::conditional_t<
        sizeof(T) == 8, unsigned long long,
        std::conditional_t<sizeof(T) == 4, unsigned,
                           std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>>;
    const word moved = shfl_word<mode>(mask, __builtin_bit_cast(word, value), source, width);
    return __builtin_bit_cast(T, moved);
  }
}

SIMT_FN unsigned ballot(unsigned mask, int predicate) { return ::__ballot_sync(mask, predicate); }
SIMT_FN int any(unsigned mask, int predicate) { return ::__any_sync(mask, predicate); }
SIMT_FN int all(unsigned mask, int predicate) { return ::__all_sync(mask, predicate); }

template <class T>
SIMT_FN unsigned match_any(unsigned mask, T value) {
  return ::__match_any_sync(mask, value);
}

template <class T>
SIMT_FN unsigned match_all(unsigned mask, T value, int* predicate) {
  return ::__match_all_sync(mask, value, predicate);
}

/// redux.sync comes with sm_80. On older GPUs the lanes' values are taken one by one. Lanes of the
/// mask that have exited are left out.
template <collective_kind kind, class T>
SIMT_FN T reduce(unsigned mask, T value) {
#if __CUDA_ARCH__ >= 800
  if constexpr (kind == collective_kind::reduce_add)
    return ::__reduce_add_sync(mask, value);
  else if constexpr (kind == collective_kind::reduce_min_signed ||
                     kind == collective_kind::reduce_min_unsigned)
    return ::__reduce_min_sync(mask, value);
  else if constexpr (kind == collective_kind::reduce_max_signed ||
                     kind == collective_kind::reduce_max_unsigned)
    return ::__reduce_max_sync(mask, value);
  else if constexpr (kind == collective_kind::reduce_and)
    return ::__reduce_and_sync(mask, value);
  else if constexpr (kind == collective_kind::reduce_or)
    return ::__reduce_or_sync(mask, value);
  else
    return ::__reduce_xor_sync(mask, value);
#else
  const unsigned here = ballot(mask, 1) & ~(1U << index<index_kind::lane>());
  unsigned all = static_cast<unsigned>(value);
  for (int lane = 0; lane < 32; ++lane) {
    const unsigned other = ::__shfl_sync(mask, static_cast<unsigned>(value), lane);
    all = (here >> lane & 1U) != 0 ? combined<kind>(all, other) : all;
  }
  return static_cast<T>(all);
#endif
}

SIMT_FN bool elect(unsigned mask) {
#if __CUDA_ARCH__ >= 900
  unsigned is_elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }"
               : "=r"(is_elected)
               : "r"(mask)
               : "memory");
  return is_elected != 0;
#else
  const unsigned here = ballot(mask, 1);
  return (here & (0U - here)) == 1U << index<index_kind::lane>();
#endif
}

SIMT_FN unsigned activemask() { return ::__activemask(); }

// --- the warps of a block ---

SIMT_FN void syncthreads() { ::__syncthreads(); }

SIMT_FN void bar_sync(unsigned id, unsigned threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

SIMT_FN void bar_sync_all(unsigned id) { asm volatile("bar.sync %0;" : : "r"(id) : "memory"); }

SIMT_FN void bar_arrive(unsigned id, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

SIMT_FN unsigned bar_red_popc(unsigned id, unsigned threads, bool yes) {
  unsigned count;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; bar.red.popc.u32 %0, %1, %2, p; }"
               : "=r"(count)
               : "r"(id), "r"(threads), "r"(static_cast<unsigned>(yes))
               : "memory");
  return count;
}

SIMT_FN bool bar_red_and(unsigned id, unsigned threads, bool yes) {
  unsigned all;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %3, 0; bar.red.and.pred q, %1, %2, p; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(all)
      : "r"(id), "r"(threads), "r"(static_cast<unsigned>(yes))
      : "memory");
  return all != 0;
}

SIMT_FN bool bar_red_or(unsigned id, unsigned threads, bool yes) {
  return !bar_red_and(id, threads, !yes);
}

// --- blocks that run together ---

SIMT_FN void cluster_sync() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" : : : "memory");
#else
  __trap();
#endif
}

template <std::uint32_t how = barrier_unaligned>
SIMT_FN void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
  if constexpr ((how & barrier_relaxed) != 0) {
    asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory");
  } else {
    asm volatile("barrier.cluster.arrive.release;" : : : "memory");
  }
#else
  __trap();
#endif
}

SIMT_FN void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" : : : "memory");
#else
  __trap();
#endif
}

SIMT_FN void grid_sync() { cooperative_groups::this_grid().sync(); }

// --- time, and the tickets of events ---

/// Takes the next number of a counter, and is never delayed (see delay()).
template <class T>
SIMT_FN T take_number(T* counter, memory_order order) {
  const cuda::atomic_ref<T, cuda::thread_scope_device> shared(*counter);
  return shared.fetch_add(1, cuda_order(order));
}

SIMT_FN void nanosleep(unsigned nanoseconds) { ::__nanosleep(nanoseconds); }

/// Prints nothing in trials, nor where time is measured: there would be many thousand lines.
template <class... A>
SIMT_FN void print([[maybe_unused]] const char* format, [[maybe_unused]] A... arguments) {
#if !defined(SIMT_DELAYS) && !defined(SIMT_MEASURED)
  ::printf(format, arguments...);
#endif
}

// --- block-shared memory ---

template <class T, class Tag>
SIMT_FN T& block_shared() {
  __shared__ T variable;
  return variable;
}

template <class T, class Tag>
SIMT_FN T& cluster_shared([[maybe_unused]] unsigned block) {
  T* there = &block_shared<T, Tag>();
#if __CUDA_ARCH__ >= 900
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(there), "r"(block));
#else
  __trap();
#endif
  return *there;
}

}  // namespace simt::detail

#include <simt/detail/gpu_objects.hpp>
