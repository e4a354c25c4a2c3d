// Objects on a GPU: the recording of their operations, failed assertions, arrays and pools. Both
// backends for GPUs include this file behind their own operations.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/detail/gpu_threads.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/launch.hpp>
#include <simt/detail/mbarrier_word.hpp>
#include <simt/detail/qualifiers.hpp>

namespace simt::detail {

// --- the operations of an object ---
//
// Tickets of one counter tell events apart. The call takes its ticket with acquire, and the return
// with release. If one operation's return has a lower ticket than another one's call, then all that
// the first did happens before all that the second does, along the counter's modifications. So no
// order of intervals is recorded that a correct object might not respect, whatever the GPU
// reorders. A clock of the GPU would disturb less, but nothing orders its readings with accesses,
// nor with readings elsewhere. The price: operations that follow each other are ordered, even where
// the object itself would not order them.

SIMT_FN const history_record& current_history() { return histories[history_turn]; }

/// Lets clients begin together, as far as the grid's size allows it. Then each waits a little
/// before each operation, differently each time.
SIMT_APART void shake(const history_record& history, unsigned thread, unsigned number) {
  if (history.seed == 0) return;
  if (number == 0) {
    take_number(history.arrived, memory_order::relaxed);
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
  return 1 + take_number(history.ticket, order);
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

// --- assertions ---

/// Leaves the first failure's message for the host, and ends the thread. The host polls, and then
/// ends the run. A trap would destroy the context, and the message with it.
SIMT_APART void fail(const char* message) {
#if defined(SIMT_CHECKED)  // compiled to be checked, not to be run: an assertion as CUDA has it
  __assert_fail(message, __FILE__, __LINE__, "fail");
#endif
  run_record* record = launch.record;
  if (legacy_compare_exchange<thread_scope_system>(&record->claimed, 0, 1) == 0) {
    for (unsigned i = 0; i + 1 < sizeof(record->message) && message[i] != 0; ++i) {
      record->message[i] = message[i];
    }
    legacy_fence<thread_scope_system>();
    *static_cast<volatile int*>(&record->failed) = 1;
  }
  asm volatile("exit;");
}

SIMT_FN void misuse(const char* message) { fail(message); }

// --- device arrays ---

template <class T>
inline T* allocate_array(T*& place, const char* name, element_kind kind, std::size_t* count) {
  return static_cast<T*>(allocate_array_storage(&place, name, sizeof(T), alignof(T), kind, count));
}

// --- pools ---

SIMT_FN unsigned lowest_bit(unsigned long long set) {
#if defined(__CUDACC__)
  return static_cast<unsigned>(__ffsll(static_cast<long long>(set)) - 1);
#else
  return static_cast<unsigned>(__builtin_ctzll(set));
#endif
}

/// The word holds a set, and no links, so ABA does no harm.
SIMT_FN unsigned pool_take(std::uint64_t* at, unsigned nodes, bool reuses) {
  constexpr unsigned long long retired_bits = (1ULL << pool_word_nodes) - 1;
  auto* const word = reinterpret_cast<unsigned long long*>(at);
  unsigned long long seen = atomic_load<thread_scope_device>(word, memory_order::relaxed);
  while (true) {
    const unsigned long long retired = reuses ? seen & retired_bits : 0;
    const auto used = static_cast<unsigned>(seen >> pool_word_nodes);
    if (retired == 0 && used >= nodes) return pool_no_node;
    const unsigned long long next =
        retired != 0 ? seen & ~(retired & (0 - retired)) : seen + (1ULL << pool_word_nodes);
    if (atomic_compare_exchange_weak<thread_scope_device>(word, seen, next, memory_order::acquire,
                                                          memory_order::relaxed)) {
      return retired != 0 ? lowest_bit(retired) : used;
    }
  }
}

SIMT_FN void pool_retire(std::uint64_t* at, unsigned node) {
  auto* const word = reinterpret_cast<unsigned long long*>(at);
  const unsigned long long self = 1ULL << node;
  const unsigned long long old =
      atomic_fetch_or<thread_scope_device>(word, self, memory_order::release);
  if ((old & self) != 0 || node >= old >> pool_word_nodes) fail("a node is retired twice");
}

inline void register_pool(const pool_layout&) {}

// --- mbarriers: as words, where the GPU lacks the instructions ---

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
}  // namespace simt::detail
#include <simt/detail/mbarrier_sm90.hpp>
namespace simt::detail {
#else

SIMT_FN void mbarrier_init(std::uint64_t* word, unsigned count) {
  *static_cast<volatile std::uint64_t*>(word) = mbarrier_initial(count);
}
SIMT_FN void mbarrier_inval(std::uint64_t* word) {
  *static_cast<volatile std::uint64_t*>(word) = 0;
}

template <thread_scope scope>
SIMT_FN std::uint64_t mbarrier_change_word(std::uint64_t* at, mbarrier_change by,
                                           memory_order order) {
  auto* const word = reinterpret_cast<unsigned long long*>(at);
  unsigned long long old = atomic_load<scope>(word, memory_order::relaxed);
  while (true) {
    if (mbarrier_misuse_of(old, by) != 0) fail("an mbarrier is misused");
    const unsigned long long next = mbarrier_after(old, by);
    if (atomic_compare_exchange_weak<scope>(word, old, next, order)) return old;
  }
}

template <thread_scope scope>
SIMT_FN bool mbarrier_test_parity(std::uint64_t* at, unsigned parity, memory_order order) {
  const auto now = atomic_load<scope>(reinterpret_cast<unsigned long long*>(at), order);
  return mbarrier_parity(now) != (parity & 1);
}
template <thread_scope scope>
SIMT_FN bool mbarrier_test(std::uint64_t* word, std::uint64_t token, memory_order order) {
  return mbarrier_test_parity<scope>(word, mbarrier_parity(token), order);
}
template <thread_scope scope>
SIMT_FN bool mbarrier_try_parity(std::uint64_t* word, unsigned parity, memory_order order) {
  return mbarrier_test_parity<scope>(word, parity, order);
}
template <thread_scope scope>
SIMT_FN bool mbarrier_try(std::uint64_t* word, std::uint64_t token, memory_order order) {
  return mbarrier_test<scope>(word, token, order);
}

#endif

}  // namespace simt::detail
