// The CUDA backend: every operation is libcu++'s, or the intrinsic, with nothing added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda/atomic>

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
         : scope == thread_scope_block  ? cuda::thread_scope_block
                                        : cuda::thread_scope_thread;
}

// --- memory ---

SIMT_FN void wait_cycles(long long cycles) {
  const long long begin = ::clock64();
  while (::clock64() - begin < cycles) {
  }
}

/// Only in the runner, and where it asks for it: some accesses wait a little, so that lanes meet in
/// other ways than a GPU's regular pace has it.
SIMT_FN void delay() {
#if defined(SIMT_DELAYS)
  if (launch.delays == 0) return;
  unsigned x = static_cast<unsigned>(::clock64()) * 0x9e3779b9U;
  x = (x ^ launch.delays ^ threadIdx.x ^ blockIdx.x << 10) * 0x85ebca6bU;
  x ^= x >> 16;
  if ((x & 3) == 0) wait_cycles(x >> 4 & (0x7fffU >> (x >> 29)));
#endif
}

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

SIMT_FN unsigned activemask() { return ::__activemask(); }

// --- the warps of a block ---

SIMT_FN void syncthreads() { ::__syncthreads(); }

SIMT_FN void named_barrier_sync(unsigned id, unsigned warps) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(warps * 32) : "memory");
}

SIMT_FN void named_barrier_arrive(unsigned id, unsigned warps) {
  asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(warps * 32) : "memory");
}

// --- places, time, assertions ---

/// Launched are whole warps of 32; how many lanes of each take part is in `launch`.
template <index_kind kind>
SIMT_FN unsigned index() {
  if constexpr (kind == index_kind::lane)
    return threadIdx.x & 31;
  else if constexpr (kind == index_kind::warp)
    return threadIdx.x >> 5;
  else if constexpr (kind == index_kind::block)
    return blockIdx.x;
  else if constexpr (kind == index_kind::thread_rank)
    return blockIdx.x * launch.block_threads + launch.first_lane[threadIdx.x >> 5] +
           (threadIdx.x & 31);
  else if constexpr (kind == index_kind::warp_size)
    return launch.lanes[threadIdx.x >> 5];
  else if constexpr (kind == index_kind::warp_count)
    return blockDim.x >> 5;
  else if constexpr (kind == index_kind::block_size)
    return launch.block_threads;
  else if constexpr (kind == index_kind::block_count)
    return gridDim.x;
  else
    return gridDim.x * launch.block_threads;
}

// --- the operations of an object ---
//
// Events are told apart by tickets of one counter. The call takes its ticket with acquire, and the
// return with release: if one operation's return has a lower ticket than another one's call, then
// all that the first did happens before all that the second does, along the counter's
// modifications. So no order of intervals is recorded that a correct object might not respect,
// whatever the GPU reorders. (A clock of the GPU would disturb less, but nothing orders its
// readings with accesses, nor with readings elsewhere.) The price: operations that follow each
// other are ordered, even where the object itself would not do that.

SIMT_FN const history_record& current_history() { return histories[history_turn]; }

/// As far as the grid's size lets them, clients begin together; then each waits a little before
/// each operation, differently each time.
SIMT_FN void shake(const history_record& history, unsigned thread, unsigned number) {
  if (history.seed == 0) return;
  if (number == 0) {
    ::atomicAdd(history.arrived, 1U);
    const auto* arrived = static_cast<volatile unsigned*>(history.arrived);
    for (int polls = 0; polls < 64 && *arrived < history.clients; ++polls) {
    }
  }
  unsigned x = (history.seed * 0x9e3779b9U ^ thread) * 0x85ebca6bU ^ number * 0xc2b2ae35U;
  x = (x ^ x >> 15) * 0x27d4eb2fU;
  x ^= x >> 13;
  wait_cycles(x & (0x7fffU >> (x >> 28)));  // short waits more often than long ones
}

SIMT_FN gpu_operation& current_operation(const history_record& history, unsigned thread) {
  return history.operations[history.first[thread] + history.calls[thread]];
}

SIMT_FN unsigned long long take_ticket(const history_record& history, memory_order order) {
  const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> ticket(*history.ticket);
  return 1 + ticket.fetch_add(1, cuda_order(order));
}

SIMT_FN unsigned assigned_operation(unsigned number) {
  const history_record& history = current_history();
  const unsigned thread = index<index_kind::thread_rank>();
  const unsigned at = history.first[thread] + number;
  if (at >= history.first[thread + 1]) return no_operation;
  shake(history, thread, number);
  return history.operations[at].operation;
}

SIMT_FN std::uint64_t assigned_argument(unsigned number, unsigned which) {
  const history_record& history = current_history();
  const unsigned thread = index<index_kind::thread_rank>();
  return history.operations[history.first[thread] + number].arguments[which];
}

SIMT_FN unsigned assigned_next(unsigned number) { return number + 1; }

SIMT_FN void event_call(unsigned, std::uint64_t, std::uint64_t, std::uint64_t) {
  const history_record& history = current_history();
  current_operation(history, index<index_kind::thread_rank>()).called =
      take_ticket(history, memory_order::acquire);
}

SIMT_FN void event_return(unsigned, bool is_some, std::uint64_t value) {
  const history_record& history = current_history();
  const unsigned thread = index<index_kind::thread_rank>();
  gpu_operation& mine = current_operation(history, thread);
  mine.is_some = is_some;
  mine.value = value;
  mine.returned = take_ticket(history, memory_order::release);
  ++history.calls[thread];
}

SIMT_FN void linearization_point(bool) {}

SIMT_FN void nanosleep(unsigned nanoseconds) { ::__nanosleep(nanoseconds); }

/// Leaves the first failure's message for the host, and the thread ends. The host, which polls,
/// then ends the run; a trap would take the context with it, and the message.
SIMT_FN void fail(const char* message) {
  run_record* record = launch.record;
  if (::atomicCAS(&record->claimed, 0, 1) == 0) {
    for (unsigned i = 0; i + 1 < sizeof(record->message) && message[i] != 0; ++i) {
      record->message[i] = message[i];
    }
    ::__threadfence_system();
    *static_cast<volatile int*>(&record->failed) = 1;
  }
  asm volatile("exit;");
}

// --- block-shared memory ---

template <class T, class Tag>
SIMT_FN T& block_shared() {
  __shared__ T variable;
  return variable;
}

// --- device arrays ---

template <class T>
inline T* allocate_array(T*& place, const char* name, element_kind kind, std::size_t* count) {
  return static_cast<T*>(allocate_array_storage(&place, name, sizeof(T), alignof(T), kind, count));
}

// --- pools ---

/// The word holds a set, and no links: that it changes and changes back misleads nobody.
SIMT_FN unsigned pool_take(std::uint64_t* at, unsigned nodes, bool reuses) {
  constexpr unsigned long long retired_bits = (1ULL << pool_word_nodes) - 1;
  auto* const word = reinterpret_cast<unsigned long long*>(at);
  const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> shared(*word);
  unsigned long long seen = shared.load(cuda::std::memory_order_relaxed);
  while (true) {
    const unsigned long long retired = reuses ? seen & retired_bits : 0;
    const auto used = static_cast<unsigned>(seen >> pool_word_nodes);
    if (retired == 0 && used >= nodes) return pool_no_node;
    const unsigned long long next =
        retired != 0 ? seen & ~(retired & (0 - retired)) : seen + (1ULL << pool_word_nodes);
    if (shared.compare_exchange_weak(seen, next, cuda::std::memory_order_acquire,
                                     cuda::std::memory_order_relaxed)) {
      return retired != 0 ? static_cast<unsigned>(__ffsll(static_cast<long long>(retired)) - 1)
                          : used;
    }
  }
}

SIMT_FN void pool_retire(std::uint64_t* at, unsigned node) {
  auto* const word = reinterpret_cast<unsigned long long*>(at);
  const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> shared(*word);
  const unsigned long long self = 1ULL << node;
  const unsigned long long old = shared.fetch_or(self, cuda::std::memory_order_release);
  if ((old & self) != 0 || node >= old >> pool_word_nodes) fail("a node is retired twice");
}

inline void register_pool(const pool_layout&) {}

}  // namespace simt::detail
