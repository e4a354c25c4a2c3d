// PTX's accesses to memory: each is one operation of the simulator.
//
// Models: weak, volatile and strong accesses, read-modify-writes with their orders and scopes.
// Does not model: proxies; caches.
#pragma once

#include <simt/detail/backend.hpp>
#include <simt/detail/result_unused.hpp>
#include <simt/ptx/bits.hpp>

extern "C" {
/// Whether the global memory at that address had that value when the launch began: no step. True
/// where that is not known. `size`: 1 to 8 bytes.
bool simt_hook_was_initially(const void* address, std::uint32_t size, std::uint64_t value);
/// The whole of an access is `size` bytes, a power of two. At an address that is no multiple of it,
/// the lane comes to an access that the machine rejects. Otherwise: no step.
void simt_hook_aligned(const void* address, std::uint32_t size, bool writes) SIMT_CONVERGENT;
}

namespace simt::ptx {

template <class B>
struct plain_cell {
  using type [[gnu::may_alias]] = B;
};

template <class B>
SIMT_FN B* pointer(u64 address) {
  return reinterpret_cast<B*>(address);
}

/// A cell of memory that only this lane has.
template <class B>
SIMT_FN typename plain_cell<B>::type& own(u8* at) {
  return *reinterpret_cast<typename plain_cell<B>::type*>(at);
}

/// The address of a load or a store of `size` bytes as a whole: PTX asks for a multiple of them
/// (PTX ISA, "Addresses as Operands").
SIMT_FN u64 to_load(u64 address, u32 size) {
  simt_hook_aligned(pointer<const u8>(address), size, false);
  return address;
}
SIMT_FN u64 to_store(u64 address, u32 size) {
  simt_hook_aligned(pointer<const u8>(address), size, true);
  return address;
}

/// Weak accesses.
template <class B>
SIMT_FN B load(u64 address) {
  return *pointer<const typename plain_cell<B>::type>(address);
}
/// ld.const. `is_there`: all bytes are of one constant. Constants are no memory of the device, so
/// an access elsewhere is carried out as one that finds no memory.
template <class B>
SIMT_FN B load_const(u64 address, bool is_there) {
  if (!is_there) {
    simt::detail::access<thread_scope_thread>(simt::detail::memory_kind::load, pointer<B>(address),
                                              memory_order_relaxed, 0);
  }
  return load<B>(address);
}
/// ld.global.nc: memory that is read-only while the kernel runs.
template <class B>
SIMT_FN B load_constant(u64 address) {
  const B v = load<B>(address);
  if (!simt_hook_was_initially(pointer<const B>(address), sizeof(B), static_cast<u64>(v))) {
    simt::detail::fail(
        "ld.global.nc (__ldg, const __restrict__) reads what was written in this launch");
  }
  return v;
}
template <class B>
SIMT_FN void store(u64 address, B v) {
  *pointer<typename plain_cell<B>::type>(address) = v;
}
template <class B>
SIMT_FN B load_volatile(u64 address) {
  return *pointer<const volatile typename plain_cell<B>::type>(address);
}
template <class B>
SIMT_FN void store_volatile(u64 address, B v) {
  *pointer<volatile typename plain_cell<B>::type>(address) = v;
}

template <class B, thread_scope scope, memory_order order>
SIMT_FN B load_strong(u64 address) {
  return simt::detail::atomic_load<scope>(pointer<B>(address), order);
}
template <class B, thread_scope scope, memory_order order>
SIMT_FN void store_strong(u64 address, B v) {
  simt::detail::atomic_store<scope>(pointer<B>(address), v, order);
}

using simt::detail::memory_kind;

/// What add_float adds where its operand is one number of 16 bits, or a pair of them: the operand
/// `compare` says it.
inline constexpr u64 adds_f16 = 1, adds_bf16 = 2;

/// atom. Returns the old value.
template <memory_kind what, class B, thread_scope scope, memory_order order>
SIMT_FN B atom(u64 address, B operand, u64 compare = 0) {
  return static_cast<B>(
      simt::detail::access<scope>(what, pointer<B>(address), order, operand, compare));
}

/// red. An operand `compare` is for `atom` without a destination, and for what add_float adds.
template <memory_kind what, class B, thread_scope scope, memory_order order>
SIMT_FN void red(u64 address, B operand, u64 compare = 0) {
  simt::detail::access<scope, simt::detail::returns_nothing>(what, pointer<B>(address), order,
                                                             operand, compare);
}

/// atom whose destination nothing reads.
template <memory_kind what, class B, thread_scope scope, memory_order order>
SIMT_FN void atom_unused(u64 address, B operand, B compare = 0) {
  simt::detail::access<scope, simt::detail::result_unused>(what, pointer<B>(address), order,
                                                           operand, compare);
}

/// fence.acquire and fence.release.
template <memory_order order>
SIMT_FN void fence_one_sided(thread_scope scope) {
  simt::detail::fence(order, scope, simt::detail::one_sided);
}

}  // namespace simt::ptx
