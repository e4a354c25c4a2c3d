// Implements the hooks of the simulator's backend on a CPU, so that subjects run on threads of the
// standard library. One file of a program includes this header, in front of the subjects.
//
// Models: atomics, fences, choices and `thread_rank()`, which is what `cpu_rank` says. Does not
// model: warps, blocks and their barriers.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include <simt/detail/hooks.hpp>

inline thread_local std::uint32_t cpu_rank = 0;
inline thread_local std::uint32_t cpu_random = 1;

namespace cpu_threads {

template <class T>
inline std::uint64_t change(simt::detail::memory_kind kind, std::atomic_ref<T> word, T operand,
                            T compare, std::memory_order order) {
  using simt::detail::memory_kind;
  switch (kind) {
    case memory_kind::load: return word.load(order);
    case memory_kind::store: word.store(operand, order); return 0;
    case memory_kind::exchange: return word.exchange(operand, order);
    case memory_kind::add: return word.fetch_add(operand, order);
    case memory_kind::compare_exchange:
      word.compare_exchange_strong(compare, operand, order);
      return compare;
    default: std::abort();  // no measured subject has it
  }
}

}  // namespace cpu_threads

extern "C" {

inline __attribute__((always_inline)) std::uint64_t simt_hook_memory(std::uint32_t packed,
                                                                     void* address,
                                                                     std::uint64_t operand,
                                                                     std::uint64_t compare) {
  const auto kind = static_cast<simt::detail::memory_kind>(packed & 0xff);
  const auto order = static_cast<std::memory_order>(packed >> 16 & 0xff);
  if ((packed >> 8 & 0xff) == 8) {
    return cpu_threads::change(
        kind, std::atomic_ref<std::uint64_t>(*static_cast<std::uint64_t*>(address)), operand,
        compare, order);
  }
  return cpu_threads::change(
      kind, std::atomic_ref<std::uint32_t>(*static_cast<std::uint32_t*>(address)),
      static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(compare), order);
}

inline void simt_hook_fence(std::uint32_t packed) {
  std::atomic_thread_fence(static_cast<std::memory_order>(packed & 0xff));
}

inline std::uint32_t simt_hook_index(std::uint32_t) { return cpu_rank; }

/// George Marsaglia's xorshift.
inline std::uint32_t simt_hook_choose(std::uint32_t count) {
  cpu_random ^= cpu_random << 13;
  cpu_random ^= cpu_random >> 17;
  cpu_random ^= cpu_random << 5;
  return static_cast<std::uint32_t>(std::uint64_t{cpu_random} * count >> 32);
}

/// No measured subject has block-shared memory.
inline std::uint32_t simt_register_shared(std::size_t, std::size_t, bool) { std::abort(); }

}  // extern "C"

#include <simt/simt.hpp>

/// Carries out operations 0 to count - 1 on `threads` threads. Thread t takes those that are t
/// modulo `threads`.
template <class Operation>
void carry_out_by(unsigned threads, std::size_t count, Operation operation) {
  std::vector<std::thread> started;
  for (unsigned thread = 0; thread < threads; ++thread) {
    started.emplace_back([&, thread] {
      cpu_random = thread + 1;
      for (std::size_t i = thread; i < count; i += threads) {
        cpu_rank = static_cast<std::uint32_t>(i);
        operation(i);
      }
    });
  }
  for (std::thread& each : started) each.join();
}

// Nothing looks for subjects by name here.
#undef SIMT_SUBJECT
#define SIMT_SUBJECT(...) static_assert(true)
