// The simulator's backend: every operation is one call of a hook, at which the lane stops.
//
// These functions are free of branches: a branch here would be a branch of the algorithm, since
// control flow is taken from the unoptimized code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <simt/detail/hooks.hpp>
#include <simt/detail/mbarrier_word.hpp>
#include <simt/detail/qualifiers.hpp>

namespace simt::detail {

template <std::size_t size>
struct bits_of_size;
template <>
struct bits_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct bits_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct bits_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct bits_of_size<8> {
  using type = std::uint64_t;
};

/// The bytes of a value, zero-extended, as the hooks take them.
template <class T>
SIMT_FN std::uint64_t to_bits(T value) {
  return __builtin_bit_cast(typename bits_of_size<sizeof(T)>::type, value);
}

/// The bytes of the negated value: adding them subtracts the value.
template <class T>
SIMT_FN std::uint64_t to_negative_bits(T value) {
  return static_cast<typename bits_of_size<sizeof(T)>::type>(0 - to_bits(value));
}

template <class T>
SIMT_FN T from_bits(std::uint64_t bits) {
  return __builtin_bit_cast(T, static_cast<typename bits_of_size<sizeof(T)>::type>(bits));
}

// --- memory ---

template <thread_scope scope, std::uint32_t flags = 0, class T>
SIMT_FN std::uint64_t access(memory_kind kind, T* address, memory_order order,
                             std::uint64_t operand, std::uint64_t compare = 0) {
  constexpr std::uint32_t size_and_scope =
      pack_memory(memory_kind{}, sizeof(T), memory_order{}, scope) | flags;
  return simt_hook_memory(
      size_and_scope | static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(order) << 16,
      address, operand, compare);
}

template <thread_scope scope, class T>
SIMT_FN T atomic_load(T* address, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::load, address, order, 0));
}

template <thread_scope scope, class T>
SIMT_FN void atomic_store(T* address, T value, memory_order order) {
  access<scope>(memory_kind::store, address, order, to_bits(value));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_exchange(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::exchange, address, order, to_bits(value)));
}

/// The weakest order that is as strong as both.
SIMT_FN memory_order stronger(memory_order a, memory_order b) {
  // An order is what it does: 1 acquires, 2 releases, 7 is sequentially consistent. A hexadecimal
  // digit for each, to look these up, and for the way back.
  constexpr std::uint32_t parts = 0x732110, orders = 0x50004320;
  const std::uint32_t both =
      parts >> 4 * static_cast<std::uint32_t>(a) | parts >> 4 * static_cast<std::uint32_t>(b);
  return static_cast<memory_order>(orders >> 4 * (both & 7U) & 7U);
}

/// Writes the old value to `expected` in either case: on success it is there already. There is one
/// order for both, as libcu++ compiles it.
template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order order) {
  const std::uint64_t wanted = to_bits(expected);
  const std::uint64_t old =
      access<scope>(memory_kind::compare_exchange, address, order, to_bits(desired), wanted);
  expected = from_bits<T>(old);
  return old == wanted;
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange(T* address, T& expected, T desired, memory_order success,
                                     memory_order failure) {
  return atomic_compare_exchange<scope>(address, expected, desired, stronger(success, failure));
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order order) {
  return atomic_compare_exchange<scope>(address, expected, desired, order);
}

template <thread_scope scope, class T>
SIMT_FN bool atomic_compare_exchange_weak(T* address, T& expected, T desired, memory_order success,
                                          memory_order failure) {
  return atomic_compare_exchange<scope>(address, expected, desired, stronger(success, failure));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_add(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::add, address, order, to_bits(value)));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_sub(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::add, address, order, to_negative_bits(value)));
}

/// Pointers move by elements.
template <thread_scope scope, class T>
SIMT_FN T* atomic_fetch_add(T** address, std::ptrdiff_t elements, memory_order order) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * sizeof(T);
  return from_bits<T*>(access<scope>(memory_kind::add, address, order, bytes));
}

template <thread_scope scope, class T>
SIMT_FN T* atomic_fetch_sub(T** address, std::ptrdiff_t elements, memory_order order) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * sizeof(T);
  return from_bits<T*>(access<scope>(memory_kind::add, address, order, 0 - bytes));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_and(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::bit_and, address, order, to_bits(value)));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_or(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::bit_or, address, order, to_bits(value)));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_xor(T* address, T value, memory_order order) {
  return from_bits<T>(access<scope>(memory_kind::bit_xor, address, order, to_bits(value)));
}

template <class T>
inline constexpr bool is_signed_value = static_cast<T>(-1) < static_cast<T>(0);

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_min(T* address, T value, memory_order order) {
  constexpr memory_kind kind =
      is_signed_value<T> ? memory_kind::min_signed : memory_kind::min_unsigned;
  return from_bits<T>(access<scope>(kind, address, order, to_bits(value)));
}

template <thread_scope scope, class T>
SIMT_FN T atomic_fetch_max(T* address, T value, memory_order order) {
  constexpr memory_kind kind =
      is_signed_value<T> ? memory_kind::max_signed : memory_kind::max_unsigned;
  return from_bits<T>(access<scope>(kind, address, order, to_bits(value)));
}

// --- CUDA's legacy atomics: relaxed ---

template <thread_scope scope, class T>
SIMT_FN T legacy_compare_exchange(T* address, T compare, T value) {
  return from_bits<T>(access<scope>(memory_kind::compare_exchange, address, memory_order::relaxed,
                                    to_bits(value), to_bits(compare)));
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
  return from_bits<unsigned>(
      access<scope>(memory_kind::add_wrap, address, memory_order::relaxed, limit));
}

template <thread_scope scope>
SIMT_FN unsigned legacy_dec(unsigned* address, unsigned limit) {
  return from_bits<unsigned>(
      access<scope>(memory_kind::sub_wrap, address, memory_order::relaxed, limit));
}

// --- fences ---

SIMT_FN void fence(memory_order order, thread_scope scope, std::uint32_t flags = 0) {
  simt_hook_fence(pack_fence(order, scope) | flags);
}

template <thread_scope scope>
SIMT_FN void legacy_fence() {
  fence(memory_order::seq_cst, scope);
}

// --- the lanes of a warp ---

SIMT_FN std::uint64_t collective(collective_kind kind, unsigned mask, std::uint64_t value = 0,
                                 std::uint32_t shfl = 0) {
  return simt_hook_collective(static_cast<std::uint32_t>(kind), mask, value, shfl);
}

SIMT_FN void syncwarp(unsigned mask) { collective(collective_kind::syncwarp, mask); }

/// CUDA takes the source lane modulo the width, and only five bits of a distance.
template <shfl_mode mode, class T>
SIMT_FN T shfl(unsigned mask, T value, unsigned source, int width) {
  const unsigned segment = static_cast<unsigned>(width);
  const unsigned bits = mode == shfl_mode::index ? segment - 1 : 31;
  const std::uint32_t packed =
      static_cast<std::uint32_t>(mode) | (source & bits & 31) << 8 | segment << 16;
  return from_bits<T>(collective(collective_kind::shfl, mask, to_bits(value), packed));
}

SIMT_FN unsigned ballot(unsigned mask, int predicate) {
  return static_cast<unsigned>(collective(collective_kind::ballot, mask, predicate != 0));
}

SIMT_FN int any(unsigned mask, int predicate) {
  return static_cast<int>(collective(collective_kind::any, mask, predicate != 0));
}

SIMT_FN int all(unsigned mask, int predicate) {
  return static_cast<int>(collective(collective_kind::all, mask, predicate != 0));
}

template <class T>
SIMT_FN unsigned match_any(unsigned mask, T value) {
  return static_cast<unsigned>(collective(collective_kind::match_any, mask, to_bits(value)));
}

template <class T>
SIMT_FN unsigned match_all(unsigned mask, T value, int* predicate) {
  const auto matching =
      static_cast<unsigned>(collective(collective_kind::match_all, mask, to_bits(value)));
  *predicate = matching != 0;
  return matching;
}

template <collective_kind kind, class T>
SIMT_FN T reduce(unsigned mask, T value) {
  return from_bits<T>(collective(kind, mask, to_bits(value)));
}

SIMT_FN unsigned activemask() {
  return static_cast<unsigned>(collective(collective_kind::activemask, 0));
}

// --- the warps of a block ---

SIMT_FN void syncthreads() {
  simt_hook_barrier(pack_barrier(barrier_kind::syncthreads), 0, 0, false);
}

SIMT_FN void refuse_barrier_count(unsigned threads) {
  if (threads % 32 != 0) {
    simt_hook_fail("the number of threads of a named barrier is no multiple of 32");
  }
}

template <std::uint32_t how = 0>
SIMT_FN void bar_sync(unsigned id, unsigned threads) {
  refuse_barrier_count(threads);
  simt_hook_barrier(pack_barrier(barrier_kind::named_sync, how), id, threads, false);
}

SIMT_FN void bar_sync_all(unsigned id) { bar_sync(id, 0); }

template <std::uint32_t how = 0>
SIMT_FN void bar_arrive(unsigned id, unsigned threads) {
  refuse_barrier_count(threads);
  simt_hook_barrier(pack_barrier(barrier_kind::named_arrive, how), id, threads, false);
}

template <std::uint32_t how>
SIMT_FN std::uint32_t bar_red(unsigned id, unsigned threads, bool yes) {
  refuse_barrier_count(threads);
  return simt_hook_barrier(pack_barrier(barrier_kind::named_sync, how), id, threads, yes);
}
template <std::uint32_t how = 0>
SIMT_FN unsigned bar_red_popc(unsigned id, unsigned threads, bool yes) {
  return bar_red<how | barrier_counts>(id, threads, yes);
}
template <std::uint32_t how = 0>
SIMT_FN bool bar_red_and(unsigned id, unsigned threads, bool yes) {
  return bar_red<how | barrier_all>(id, threads, yes) != 0;
}
template <std::uint32_t how = 0>
SIMT_FN bool bar_red_or(unsigned id, unsigned threads, bool yes) {
  return bar_red<how | barrier_any>(id, threads, yes) != 0;
}

SIMT_FN void cluster_sync() {
  simt_hook_barrier(pack_barrier(barrier_kind::cluster_sync), 0, 0, false);
}

template <std::uint32_t how = barrier_unaligned>
SIMT_FN void cluster_arrive() {
  simt_hook_barrier(pack_barrier(barrier_kind::cluster_arrive, how), 0, 0, false);
}
template <std::uint32_t how = barrier_unaligned>
SIMT_FN void cluster_wait() {
  simt_hook_barrier(pack_barrier(barrier_kind::cluster_wait, how), 0, 0, false);
}

SIMT_FN void grid_sync() { simt_hook_barrier(pack_barrier(barrier_kind::grid_sync), 0, 0, false); }

// --- places, time, assertions ---

/// What is found by the type of an argument where a subject's body is made.
template <class Workload>
struct in_a_subject {};

template <index_kind kind>
SIMT_FN unsigned index() {
  return simt_hook_index(static_cast<std::uint32_t>(kind));
}

// --- the operations of an object ---

SIMT_FN unsigned assigned_operation(unsigned number) {
  return static_cast<unsigned>(simt_hook_assignment(number, 0));
}

SIMT_FN std::uint64_t assigned_argument(unsigned number, unsigned argument) {
  return simt_hook_assignment(number, argument + 1);
}

SIMT_FN unsigned assigned_next(unsigned number) {
  return static_cast<unsigned>(simt_hook_assignment(number, next_assignment));
}

SIMT_FN void event_call(unsigned operation, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  simt_hook_call(operation, a, b, c);
}

SIMT_FN void event_return(unsigned operation, bool is_some, std::uint64_t value) {
  simt_hook_return(operation, is_some, value);
}

SIMT_FN void linearization_point(bool here) { simt_hook_linearization_point(here); }

SIMT_FN void nanosleep(unsigned nanoseconds) { simt_hook_nanosleep(nanoseconds); }

SIMT_FN unsigned choose(unsigned n) { return simt_hook_choose(n); }

SIMT_FN void fail(const char* message) { simt_hook_fail(message); }
SIMT_FN void misuse(const char* message) { simt_hook_misuse(message); }

// --- mbarriers ---

/// By mbarrier_misuse.
inline constexpr const char* mbarrier_mistakes[] = {
    "", "the mbarrier is not initialized",
    "more arrivals at the mbarrier than are pending in its phase",
    "more bytes are pending at the mbarrier than it can count"};

/// A plain store, of which the machine is told that an mbarrier begins or ends there.
inline constexpr std::uint32_t mbarrier_store =
    pack_memory(memory_kind::store, 8, memory_order::relaxed, thread_scope_system);

SIMT_FN void mbarrier_init(std::uint64_t* word, unsigned count) {
  if (count == 0 || count > mbarrier_most) fail("an mbarrier expects 1 to 2^20 - 1 arrivals");
  simt_hook_memory(mbarrier_store, word, mbarrier_initial(count), mbarrier_begins);
}
SIMT_FN void mbarrier_inval(std::uint64_t* word) {
  simt_hook_memory(mbarrier_store, word, 0, mbarrier_ends);
}

SIMT_FN void refuse_mbarrier_misuse(std::uint32_t mistake) {
  if (mistake != 0) fail(mbarrier_mistakes[mistake]);
}

/// The phase before the change, where the word has it.
template <thread_scope scope>
SIMT_FN std::uint64_t mbarrier_change_word(std::uint64_t* word, mbarrier_change by,
                                           memory_order order) {
  const std::uint64_t told = access<scope>(memory_kind::mbarrier, word, order,
                                           pack_mbarrier_change(by.arrivals, by.bytes), by.drops);
  refuse_mbarrier_misuse(static_cast<std::uint32_t>(told & 3));
  return told & mbarrier_phase_bits;
}
/// The word before the change.
template <thread_scope scope>
SIMT_FN std::uint64_t mbarrier_change_counted(std::uint64_t* word, mbarrier_change by,
                                              memory_order order) {
  const std::uint64_t old =
      access<scope>(memory_kind::mbarrier, word, order, pack_mbarrier_change(by.arrivals, by.bytes),
                    by.drops | mbarrier_tells_counts);
  refuse_mbarrier_misuse(mbarrier_misuse_of(old, by));
  return old;
}

template <thread_scope scope>
SIMT_FN bool mbarrier_test_parity(std::uint64_t* word, unsigned parity, memory_order order) {
  const std::uint64_t now = access<scope>(memory_kind::load, word, order, mbarrier_tested);
  refuse_mbarrier_misuse(static_cast<std::uint32_t>(!mbarrier_is_live(now)));
  return mbarrier_parity(now) != (parity & 1);
}
template <thread_scope scope>
SIMT_FN bool mbarrier_test(std::uint64_t* word, std::uint64_t token, memory_order order) {
  const std::uint64_t now = access<scope>(memory_kind::load, word, order, mbarrier_tested_by_token);
  refuse_mbarrier_misuse(static_cast<std::uint32_t>(!mbarrier_is_live(now)));
  const std::uint32_t age = mbarrier_age(now, token);
  if (age > 1) fail("the token is two phases old or more: a wait by it is undefined");
  return age == 1;
}
template <thread_scope scope>
SIMT_FN bool mbarrier_try_parity(std::uint64_t* word, unsigned parity, memory_order order) {
  return mbarrier_test_parity<scope>(word, parity, order);
}
template <thread_scope scope>
SIMT_FN bool mbarrier_try(std::uint64_t* word, std::uint64_t token, memory_order order) {
  return mbarrier_test<scope>(word, token, order);
}

// --- printing ---

/// As `printf` would be given it, in 8 bytes.
template <class T>
SIMT_FN std::uint64_t printed(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return to_bits(static_cast<double>(value));
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
    return to_bits(static_cast<const volatile void*>(value));
  else
    return static_cast<std::uint64_t>(value);
}

template <class... A>
SIMT_FN void print(const char* format, A... arguments) {
  simt_hook_print_begin();
  (simt_hook_print_value(printed(arguments)), ...);
  simt_hook_print(format);
}

// --- block-shared memory ---

/// What the machine must know of a block-shared variable. The descriptors of a subject lie in one
/// section, and a variable's slot is its descriptor's place there. So device code finds the slot
/// without reading memory, which would be a visible access.
struct shared_descriptor {
  std::size_t size;
  std::size_t align;
  bool has_no_value = false;  // until it is written; otherwise it starts as zeros
};

extern "C" {
[[gnu::visibility("hidden"), gnu::weak]] extern const shared_descriptor __start_simt_shared[];
[[gnu::visibility("hidden"), gnu::weak]] extern const shared_descriptor __stop_simt_shared[];
}

template <class T, class Tag>
struct shared_variable {
  [[gnu::section("simt_shared"), gnu::used]] inline static constexpr shared_descriptor descriptor{
      sizeof(T), alignof(T)};
};

template <class T, class Tag>
SIMT_FN T& shared_of(std::uint32_t block) {
  const auto slot =
      static_cast<std::uint32_t>(&shared_variable<T, Tag>::descriptor - &__start_simt_shared[0]);
  return *static_cast<T*>(simt_hook_shared(pack_shared(slot, block)));
}

template <class T, class Tag>
SIMT_FN T& block_shared() {
  return shared_of<T, Tag>(own_block);
}

template <class T, class Tag>
SIMT_FN T& cluster_shared(unsigned block) {
  return shared_of<T, Tag>(block);
}

/// Slots are numbered from 0 in the order of registration.
[[gnu::constructor]] SIMT_UNTRACED static inline void register_shared_variables() {
  for (const shared_descriptor* it = __start_simt_shared; it != __stop_simt_shared; ++it) {
    simt_register_shared(it->size, it->align, it->has_no_value);
  }
}

// --- elections ---

SIMT_FN bool elect(unsigned mask) {
  const unsigned here = ballot(mask, 1);
  return (here & (0U - here)) == 1U << index<index_kind::lane>();
}

// --- device arrays ---

template <class T>
SIMT_UNTRACED inline T* allocate_array(T*&, const char* name, element_kind kind,
                                       std::size_t* count) {
  return static_cast<T*>(simt_device_array(name, sizeof(T), alignof(T), kind, count));
}

// --- pools ---

/// A node of the word, by its place there, or pool_no_node. `nodes`: how many the word has.
SIMT_FN unsigned pool_take(std::uint64_t* word, unsigned nodes, bool reuses) {
  return static_cast<unsigned>(access<thread_scope_device>(memory_kind::pool_take, word,
                                                           memory_order::acquire, nodes, reuses));
}

SIMT_FN void pool_retire(std::uint64_t* word, unsigned node) {
  access<thread_scope_device>(memory_kind::pool_retire, word, memory_order::release, node);
}

SIMT_UNTRACED inline void register_pool(const pool_layout& layout) { simt_device_pool(&layout); }

}  // namespace simt::detail
