// The backend for PTX of sm_60, compiled by clang: what runs with the scheduling of GPUs before
// Volta (docs/hardware.md). Plain C++ with clang's builtins for NVPTX, and PTX where it has none.
//
// Memory orders: PTX has them from sm_70 on. Here an access is relaxed, and an order is a `membar`
// of the access's scope before it, behind it, or both:
//
//   order     load                       store                exchange, fetch_add, ...
//   relaxed   ld.volatile                st.volatile          atom.SCOPE
//   acquire   ld.volatile; membar        -                    atom.SCOPE; membar
//   release   -                          membar; st.volatile  membar; atom.SCOPE
//   acq_rel   -                          -                    membar; atom.SCOPE; membar
//   seq_cst   membar; ld.volatile;       membar; st.volatile  membar; atom.SCOPE; membar
//             membar
//
// All is at least as strong as asked for. In PTX a volatile access is a relaxed one of system
// scope, and a membar is a fence.sc of its scope (PTX ISA, ld.volatile and membar). A fence in
// front of a strong write is a release pattern, one behind a strong read an acquire pattern. A
// sequentially consistent access has a fence.sc before it, and an acquire pattern if it reads: the
// mapping from C++ to PTX (Lustig et al., ASPLOS 2019).
//
// Operations are free of branches, as the simulator's are, so that the control flow is the
// algorithm's alone. The exceptions branch within themselves, and their lanes meet again before
// they go on: atomics of 1 and 2 bytes (a loop of compare-exchange), pools, and nanosleep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <simt/detail/gpu_threads.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/launch.hpp>
#include <simt/detail/nvptx_instructions.hpp>
#include <simt/detail/qualifiers.hpp>

/// A mark behind the parameters of a lambda that must be inlined, as all device code is.
#define SIMT_WITHIN __attribute__((always_inline))

namespace simt::detail {

// --- fences ---

/// Orders and scopes are constants once all is inlined. The pass lower-constant-intrinsics decides
/// what depends on them, so that no branch is left. The pass follows its own answer along one chain
/// of computations. So there is no conversion and no second use between, and the type is not
/// promoted.
using choice = unsigned _BitInt(8);

/// An order that is not known is taken for the strongest.
inline constexpr choice unknown = 7;

template <class E>
SIMT_FN choice known(E what) {
  auto bits = static_cast<choice>(what);  // not const: the question is for the optimizer
  auto is_known = static_cast<choice>(__builtin_constant_p(bits));
  return bits | static_cast<choice>(unknown * (choice{1} - is_known));
}

template <thread_scope scope>
SIMT_FN void membar() {
  if constexpr (scope == thread_scope_system)
    __nvvm_membar_sys();
  else if constexpr (scope == thread_scope_device || scope == thread_scope_cluster)
    __nvvm_membar_gl();
  else
    __nvvm_membar_cta();
}

SIMT_FN void fence(memory_order order, thread_scope scope) {
  const choice where = known(scope);
  if (known(order) == static_cast<choice>(memory_order::relaxed)) return;
  if (where == static_cast<choice>(thread_scope_device) ||
      where == static_cast<choice>(thread_scope_cluster))
    membar<thread_scope_device>();
  else if (where == static_cast<choice>(thread_scope_block))
    membar<thread_scope_block>();
  else if (where == static_cast<choice>(thread_scope_thread))
    membar<thread_scope_block>();
  else
    membar<thread_scope_system>();
}

template <thread_scope scope>
SIMT_FN void legacy_fence() {
  membar<scope>();
}

/// The fences in front of a write, and behind a read, that are to have this order.
template <thread_scope scope>
SIMT_FN void fence_before(memory_order order) {
  if (known(order) >= static_cast<choice>(memory_order::release)) membar<scope>();
}
template <thread_scope scope>
SIMT_FN void fence_after(memory_order order) {
  constexpr choice acquiring = 0b10110110;  // all but relaxed and release
  if ((acquiring >> known(order) & choice{1}) != 0) membar<scope>();
}
template <thread_scope scope>
SIMT_FN void fence_before_load(memory_order order) {
  if (known(order) >= static_cast<choice>(memory_order::seq_cst)) membar<scope>();
}

/// No instruction is that narrow. So the aligned word of 4 bytes around the value is exchanged,
/// until nothing else in it changed meanwhile. `change(old)`: the new value.
template <thread_scope scope, class W, class Change>
SIMT_FN W change_narrow(W* address, Change change) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto* const word = reinterpret_cast<word32*>(at & ~std::uintptr_t{3});
  const unsigned shift = static_cast<unsigned>(at & 3) * 8;
  const word32 others = ~(word32{static_cast<W>(~W{})} << shift);
  word32 seen = *static_cast<volatile word32*>(word);
  while (true) {
    const W old = static_cast<W>(seen >> shift);
    const word32 next = (seen & others) | word32{static_cast<W>(change(old))} << shift;
    const word32 found = atom_cas<scope>(word, seen, next);
    if (found == seen) return old;
    seen = found;
  }
}

template <class W>
inline constexpr bool is_narrow = sizeof(W) < 4;
template <class T>
inline constexpr bool is_signed_value = static_cast<T>(-1) < static_cast<T>(0);

// --- memory ---

template <thread_scope scope, class T>
SIMT_FN T atomic_load(T* address, memory_order order) {
  delay();
  fence_before_load<scope>(order);
  const auto seen = *static_cast<volatile word_of<T>*>(words_at(address));
  fence_after<scope>(order);
  return from_word<T>(seen);
}

template <thread_scope scope, class T>
SIMT_FN void atomic_store(T* address, T value, memory_order order) {
  delay();
  fence_before<scope>(order);
  *static_cast<volatile word_of<T>*>(words_at(address)) = to_word(value);
}

template <thread_scope scope, class T>
SIMT_FN T atomic_exchange(T* address, T value, memory_order order) {
  delay();
  fence_before<scope>(order);
  word_of<T> old;
  if constexpr (is_narrow<T>)
    old = change_narrow<scope>(words_at(address),
                               [=](word_of<T>) SIMT_WITHIN { return to_word(value); });
  else
    old = atom_exchange<scope>(words_at(address), to_word(value));
  fence_after<scope>(order);
  return from_word<T>(old);
}

/// `expected` gets the old value in either case: on success it is there already.
template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order order) {
  delay();
  fence_before<scope>(order);
  const word_of<T> wanted = to_word(expected);
  const word_of<T> value = to_word(desired);
  word_of<T> old;
  if constexpr (is_narrow<T>)
    old = change_narrow<scope>(words_at(address), [=](word_of<T> seen) SIMT_WITHIN {
      const auto take = static_cast<word_of<T>>(0 - (seen == wanted));
      return static_cast<word_of<T>>((value & take) | (seen & ~take));
    });
  else
    old = atom_cas<scope>(words_at(address), wanted, value);
  fence_after<scope>(order);
  expected = from_word<T>(old);
  return old == wanted;
}

/// A failure has the fences of a success, and those of its own order.
template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order success,
                                     memory_order failure) {
  fence_before_load<scope>(failure);
  const bool done = atomic_compare_exchange<scope>(address, expected, desired, success);
  fence_after<scope>(failure);
  return done;
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order order) {
  return atomic_compare_exchange<scope>(address, expected, desired, order);
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order success,
                                          memory_order failure) {
  return atomic_compare_exchange<scope>(address, expected, desired, success, failure);
}

/// `instruction` for whole words, `change` for narrower ones.
template <thread_scope scope, class T, class Instruction, class Change>
SIMT_FN T atomic_change(T* address, memory_order order, Instruction instruction, Change change) {
  delay();
  fence_before<scope>(order);
  word_of<T> old;
  if constexpr (is_narrow<T>)
    old = change_narrow<scope>(words_at(address), [=](word_of<T> seen) SIMT_WITHIN {
      return to_word(change(from_word<T>(seen)));
    });
  else
    old = instruction(words_at(address));
  fence_after<scope>(order);
  return from_word<T>(old);
}

#define SIMT_DETAIL_FETCH(NAME, INSTRUCTION, CHANGED)                                     \
  template <thread_scope scope, class T>                                                  \
  SIMT_FN T NAME(T* address, T value, memory_order order) {                               \
    return atomic_change<scope>(                                                          \
        address, order,                                                                   \
        [=](auto* word) SIMT_WITHIN { return INSTRUCTION<scope>(word, to_word(value)); }, \
        [=](T old) SIMT_WITHIN { return static_cast<T>(CHANGED); });                      \
  }                                                                                       \
  static_assert(true)

SIMT_DETAIL_FETCH(atomic_fetch_add, atom_add, old + value);
SIMT_DETAIL_FETCH(atomic_fetch_and, atom_and, old& value);
SIMT_DETAIL_FETCH(atomic_fetch_or, atom_or, old | value);
SIMT_DETAIL_FETCH(atomic_fetch_xor, atom_xor, old ^ value);

#undef SIMT_DETAIL_FETCH

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_sub(T* address, T value, memory_order order) {
  return atomic_fetch_add<scope>(address, static_cast<T>(0 - to_word(value)), order);
}

/// Pointers move by elements.
template <thread_scope scope, class T>
SIMT_FN T* atomic_fetch_add(T** address, std::ptrdiff_t elements, memory_order order) {
  const word64 bytes = static_cast<word64>(elements) * sizeof(T);
  return from_word<T*>(atomic_fetch_add<scope>(words_at(address), bytes, order));
}

template <thread_scope scope, class T>
SIMT_FN T* atomic_fetch_sub(T** address, std::ptrdiff_t elements, memory_order order) {
  return atomic_fetch_add<scope>(address, -elements, order);
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_min(T* address, T value, memory_order order) {
  return atomic_change<scope>(
      address, order,
      [=](auto* word) SIMT_WITHIN {
        if constexpr (is_signed_value<T>)
          return atom_min_signed<scope>(word, to_word(value));
        else
          return atom_min_unsigned<scope>(word, to_word(value));
      },
      [=](T old) SIMT_WITHIN { return value < old ? value : old; });
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_max(T* address, T value, memory_order order) {
  return atomic_change<scope>(
      address, order,
      [=](auto* word) SIMT_WITHIN {
        if constexpr (is_signed_value<T>)
          return atom_max_signed<scope>(word, to_word(value));
        else
          return atom_max_unsigned<scope>(word, to_word(value));
      },
      [=](T old) SIMT_WITHIN { return old < value ? value : old; });
}

// --- CUDA's legacy atomics: relaxed ---

template <thread_scope scope, class T>
SIMT_FN T legacy_compare_exchange(T* address, T compare, T value) {
  atomic_compare_exchange<scope>(address, compare, value, memory_order::relaxed);
  return compare;
}

template <thread_scope scope, class T>
SIMT_FN T legacy_exchange(T* address, T value) {
  return atomic_exchange<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_add(T* address, T value) {
  return atomic_fetch_add<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_sub(T* address, T value) {
  return atomic_fetch_sub<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_min(T* address, T value) {
  return atomic_fetch_min<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_max(T* address, T value) {
  return atomic_fetch_max<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_and(T* address, T value) {
  return atomic_fetch_and<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_or(T* address, T value) {
  return atomic_fetch_or<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope, class T>
SIMT_FN T legacy_xor(T* address, T value) {
  return atomic_fetch_xor<scope>(address, value, memory_order::relaxed);
}

template <thread_scope scope>
SIMT_FN unsigned legacy_inc(unsigned* address, unsigned limit) {
  delay();
  return atom_inc<scope>(address, limit);
}

template <thread_scope scope>
SIMT_FN unsigned legacy_dec(unsigned* address, unsigned limit) {
  delay();
  return atom_dec<scope>(address, limit);
}

// --- the lanes of a warp ---
//
// Before sm_70 all lanes of the mask must be at a `.sync` instruction together (PTX ISA).

/// Lanes that are there together are in lockstep already, so nobody waits. Only the order of their
/// accesses is left to do. `bar.warp.sync` would be more. The driver makes Volta's WARPSYNC of it,
/// where lanes wait for those of the other arms, and so let them run (docs/hardware.md).
SIMT_FN void syncwarp(unsigned) { membar<thread_scope_block>(); }

template <shfl_mode mode>
SIMT_FN word32 shfl_word(unsigned mask, word32 value, unsigned source, int width) {
  const int lane = static_cast<int>(source);
  // Bits 8-12: the part of a lane's number that tells its segment. Bits 0-4: the segment's last
  // lane or, for `up`, its first.
  const int segment = (32 - width) << 8;
  const int bits = static_cast<int>(value);
  if constexpr (mode == shfl_mode::index)
    return static_cast<word32>(__nvvm_shfl_sync_idx_i32(mask, bits, lane, segment | 31));
  else if constexpr (mode == shfl_mode::up)
    return static_cast<word32>(__nvvm_shfl_sync_up_i32(mask, bits, lane, segment));
  else if constexpr (mode == shfl_mode::down)
    return static_cast<word32>(__nvvm_shfl_sync_down_i32(mask, bits, lane, segment | 31));
  else
    return static_cast<word32>(__nvvm_shfl_sync_bfly_i32(mask, bits, lane, segment | 31));
}

template <shfl_mode mode, class T>
SIMT_FN T shfl(unsigned mask, T value, unsigned source, int width) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  const word64 bits = to_word(value);
  word64 moved = shfl_word<mode>(mask, static_cast<word32>(bits), source, width);
  if constexpr (sizeof(T) == 8)
    moved |= word64{shfl_word<mode>(mask, static_cast<word32>(bits >> 32), source, width)} << 32;
  return from_word<T>(static_cast<word_of<T>>(moved));
}

SIMT_FN unsigned ballot(unsigned mask, int predicate) {
  return static_cast<unsigned>(__nvvm_vote_ballot_sync(mask, predicate != 0));
}
SIMT_FN int any(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
SIMT_FN int all(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }

/// match.sync comes with sm_70. Here the lanes are compared one by one. Lanes of the mask that have
/// exited are left out.
template <class T>
SIMT_FN unsigned match_any(unsigned mask, T value) {
  const unsigned here = ballot(mask, 1);
  unsigned same = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const T other = shfl<shfl_mode::index>(mask, value, lane, 32);
    same |= static_cast<unsigned>(other == value) << lane;
  }
  return same & here;
}

template <class T>
SIMT_FN unsigned match_all(unsigned mask, T value, int* predicate) {
  const unsigned here = ballot(mask, 1);
  const unsigned first = static_cast<unsigned>(__builtin_ctz(here));
  const T other = shfl<shfl_mode::index>(mask, value, first, 32);
  const int matches = all(mask, other == value);
  *predicate = matches;
  return here * static_cast<unsigned>(matches);
}

/// redux.sync comes with sm_80. Here the lanes' values are taken one by one. Lanes of the mask that
/// have exited are left out.
template <collective_kind kind, class T>
SIMT_FN T reduce(unsigned mask, T value) {
  const unsigned here = ballot(mask, 1) & ~(1U << index<index_kind::lane>());
  unsigned all = static_cast<unsigned>(value);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned other = shfl<shfl_mode::index>(mask, static_cast<unsigned>(value), lane, 32);
    const unsigned with = combined<kind>(all, other);
    const unsigned counts = 0U - (here >> lane & 1U);
    all = (with & counts) | (all & ~counts);
  }
  return static_cast<T>(all);
}

SIMT_FN bool elect(unsigned mask) {
  const unsigned here = ballot(mask, 1);
  return (here & (0U - here)) == 1U << index<index_kind::lane>();
}

SIMT_FN unsigned activemask() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes) : : "memory");
  return lanes;
}

// --- the warps of a block ---

SIMT_FN void syncthreads() { asm volatile("bar.sync 0;" : : : "memory"); }

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

// --- blocks that run together: not before sm_60, or not without a cooperative launch ---

SIMT_FN void cluster_sync() { asm volatile("trap;"); }
template <std::uint32_t how = barrier_unaligned>
SIMT_FN void cluster_arrive() {
  asm volatile("trap;");
}
SIMT_FN void cluster_wait() { asm volatile("trap;"); }
SIMT_FN void grid_sync() { asm volatile("trap;"); }

// --- time, and the tickets of events ---

/// Takes the next number of a counter, and is never delayed (see delay()).
template <class T>
SIMT_FN T take_number(T* counter, memory_order order) {
  fence_before<thread_scope_device>(order);
  const auto old = atom_add<thread_scope_device>(words_at(counter), word_of<T>{1});
  fence_after<thread_scope_device>(order);
  return static_cast<T>(old);
}

/// The instruction comes with sm_70. It may end early: a GPU has one to two cycles a nanosecond.
SIMT_APART void nanosleep(unsigned nanoseconds) { wait_cycles(nanoseconds); }

/// Prints nothing. This backend is for trials alone, where there would be many thousand lines.
template <class... A>
SIMT_FN void print(const char*, A...) {}

// --- block-shared memory ---

template <class T, class Tag>
[[clang::loader_uninitialized]] static __attribute__((address_space(3))) T shared_variable;

template <class T, class Tag>
SIMT_FN T& block_shared() {
  return *(T*)&shared_variable<T, Tag>;  // from shared to generic addresses
}

template <class T, class Tag>
SIMT_FN T& cluster_shared(unsigned) {
  asm volatile("trap;");
  return block_shared<T, Tag>();
}

}  // namespace simt::detail

#undef SIMT_WITHIN

#include <simt/detail/gpu_objects.hpp>
