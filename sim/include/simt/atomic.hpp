// Atomic objects with a scope, after cuda::atomic and cuda::atomic_ref.
//
// T is an integer, an enumeration, a pointer, or a trivially copyable struct of 4 or 8 bytes
// without padding. Orders default to seq_cst, scopes to system. All accesses are strong.
#pragma once

#include <cstddef>
#include <type_traits>

#include <simt/detail/backend.hpp>

namespace simt {
namespace detail {

template <class T>
concept has_bits = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept has_arithmetic = has_bits<T> || std::is_pointer_v<T>;
template <class T>
concept fits_atomic = std::is_trivially_copyable_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

/// What is added: a value, or a number of elements for pointers.
template <class T>
using difference_of = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

}  // namespace detail

/// Atomic access to an object that lives elsewhere, aligned to its size.
template <class T, thread_scope scope = thread_scope_system>
class atomic_ref {
  static_assert(detail::fits_atomic<T>,
                "an atomic is trivially copyable and of 1, 2, 4 or 8 bytes");

 public:
  using value_type = T;
  using difference_type = detail::difference_of<T>;

  SIMT_HOST_FN explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  SIMT_FN value_type load(memory_order order = memory_order_seq_cst) const {
    return detail::atomic_load<scope>(object_, order);
  }
  SIMT_FN void store(value_type value, memory_order order = memory_order_seq_cst) const {
    detail::atomic_store<scope>(object_, value, order);
  }
  SIMT_FN value_type exchange(value_type value, memory_order order = memory_order_seq_cst) const {
    return detail::atomic_exchange<scope>(object_, value, order);
  }
  SIMT_FN operator value_type() const { return load(); }
  SIMT_FN value_type operator=(value_type value) const {
    store(value);
    return value;
  }

  /// Stores `desired` if `expected` is there; otherwise `expected` becomes what is.
  SIMT_FN bool compare_exchange_strong(value_type& expected, value_type desired,
                                       memory_order order = memory_order_seq_cst) const {
    return detail::atomic_compare_exchange<scope>(object_, expected, desired, order);
  }
  SIMT_FN bool compare_exchange_strong(value_type& expected, value_type desired,
                                       memory_order success, memory_order failure) const {
    return detail::atomic_compare_exchange<scope>(object_, expected, desired, success, failure);
  }
  SIMT_FN bool compare_exchange_weak(value_type& expected, value_type desired,
                                     memory_order order = memory_order_seq_cst) const {
    return detail::atomic_compare_exchange_weak<scope>(object_, expected, desired, order);
  }
  SIMT_FN bool compare_exchange_weak(value_type& expected, value_type desired, memory_order success,
                                     memory_order failure) const {
    return detail::atomic_compare_exchange_weak<scope>(object_, expected, desired, success,
                                                       failure);
  }

  /// Integers; pointers too for add and sub, which move them by elements. Return the old value.
  SIMT_FN value_type fetch_add(difference_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_arithmetic<T> {
    return detail::atomic_fetch_add<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_sub(difference_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_arithmetic<T> {
    return detail::atomic_fetch_sub<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_and(value_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_bits<T> {
    return detail::atomic_fetch_and<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_or(value_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_bits<T> {
    return detail::atomic_fetch_or<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_xor(value_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_bits<T> {
    return detail::atomic_fetch_xor<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_min(value_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_bits<T> {
    return detail::atomic_fetch_min<scope>(object_, value, order);
  }
  SIMT_FN value_type fetch_max(value_type value, memory_order order = memory_order_seq_cst)
      const requires detail::has_bits<T> {
    return detail::atomic_fetch_max<scope>(object_, value, order);
  }

  SIMT_FN value_type operator++(int) const requires detail::has_arithmetic<T> {
    return fetch_add(1);
  }
  SIMT_FN value_type operator++() const requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_add(1) + 1);
  }
  SIMT_FN value_type operator+=(difference_type value) const requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_add(value) + value);
  }
  SIMT_FN value_type operator--(int) const requires detail::has_arithmetic<T> {
    return fetch_sub(1);
  }
  SIMT_FN value_type operator--() const requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_sub(1) - 1);
  }
  SIMT_FN value_type operator-=(difference_type value) const requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_sub(value) - value);
  }
  SIMT_FN value_type operator&=(value_type value) const requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_and(value) & value);
  }
  SIMT_FN value_type operator|=(value_type value) const requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_or(value) | value);
  }
  SIMT_FN value_type operator^=(value_type value) const requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_xor(value) ^ value);
  }

 private:
  T* object_;
};

/// An atomic object. Its default constructor leaves the value open, as cuda::atomic's does, so that
/// it may be block-shared; the operations are those of atomic_ref.
template <class T, thread_scope scope = thread_scope_system>
class atomic {
  static_assert(detail::fits_atomic<T>,
                "an atomic is trivially copyable and of 1, 2, 4 or 8 bytes");

 public:
  using value_type = T;
  using difference_type = detail::difference_of<T>;

  atomic() = default;
  SIMT_HOST_FN constexpr atomic(T value) : value_(value) {}  // as in libcu++, not explicit
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  SIMT_FN value_type load(memory_order order = memory_order_seq_cst) const {
    return detail::atomic_load<scope>(const_cast<T*>(&value_), order);
  }
  SIMT_FN void store(value_type value, memory_order order = memory_order_seq_cst) {
    detail::atomic_store<scope>(&value_, value, order);
  }
  SIMT_FN value_type exchange(value_type value, memory_order order = memory_order_seq_cst) {
    return detail::atomic_exchange<scope>(&value_, value, order);
  }
  SIMT_FN operator value_type() const { return load(); }
  SIMT_FN value_type operator=(value_type value) {
    store(value);
    return value;
  }

  SIMT_FN bool compare_exchange_strong(value_type& expected, value_type desired,
                                       memory_order order = memory_order_seq_cst) {
    return detail::atomic_compare_exchange<scope>(&value_, expected, desired, order);
  }
  SIMT_FN bool compare_exchange_strong(value_type& expected, value_type desired,
                                       memory_order success, memory_order failure) {
    return detail::atomic_compare_exchange<scope>(&value_, expected, desired, success, failure);
  }
  SIMT_FN bool compare_exchange_weak(value_type& expected, value_type desired,
                                     memory_order order = memory_order_seq_cst) {
    return detail::atomic_compare_exchange_weak<scope>(&value_, expected, desired, order);
  }
  SIMT_FN bool compare_exchange_weak(value_type& expected, value_type desired, memory_order success,
                                     memory_order failure) {
    return detail::atomic_compare_exchange_weak<scope>(&value_, expected, desired, success,
                                                       failure);
  }

  SIMT_FN value_type
  fetch_add(difference_type value,
            memory_order order = memory_order_seq_cst) requires detail::has_arithmetic<T> {
    return detail::atomic_fetch_add<scope>(&value_, value, order);
  }
  SIMT_FN value_type
  fetch_sub(difference_type value,
            memory_order order = memory_order_seq_cst) requires detail::has_arithmetic<T> {
    return detail::atomic_fetch_sub<scope>(&value_, value, order);
  }
  SIMT_FN value_type fetch_and(
      value_type value, memory_order order = memory_order_seq_cst) requires detail::has_bits<T> {
    return detail::atomic_fetch_and<scope>(&value_, value, order);
  }
  SIMT_FN value_type fetch_or(
      value_type value, memory_order order = memory_order_seq_cst) requires detail::has_bits<T> {
    return detail::atomic_fetch_or<scope>(&value_, value, order);
  }
  SIMT_FN value_type fetch_xor(
      value_type value, memory_order order = memory_order_seq_cst) requires detail::has_bits<T> {
    return detail::atomic_fetch_xor<scope>(&value_, value, order);
  }
  SIMT_FN value_type fetch_min(
      value_type value, memory_order order = memory_order_seq_cst) requires detail::has_bits<T> {
    return detail::atomic_fetch_min<scope>(&value_, value, order);
  }
  SIMT_FN value_type fetch_max(
      value_type value, memory_order order = memory_order_seq_cst) requires detail::has_bits<T> {
    return detail::atomic_fetch_max<scope>(&value_, value, order);
  }

  SIMT_FN value_type operator++(int) requires detail::has_arithmetic<T> { return fetch_add(1); }
  SIMT_FN value_type operator++() requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_add(1) + 1);
  }
  SIMT_FN value_type operator+=(difference_type value) requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_add(value) + value);
  }
  SIMT_FN value_type operator--(int) requires detail::has_arithmetic<T> { return fetch_sub(1); }
  SIMT_FN value_type operator--() requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_sub(1) - 1);
  }
  SIMT_FN value_type operator-=(difference_type value) requires detail::has_arithmetic<T> {
    return static_cast<value_type>(fetch_sub(value) - value);
  }
  SIMT_FN value_type operator&=(value_type value) requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_and(value) & value);
  }
  SIMT_FN value_type operator|=(value_type value) requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_or(value) | value);
  }
  SIMT_FN value_type operator^=(value_type value) requires detail::has_bits<T> {
    return static_cast<value_type>(fetch_xor(value) ^ value);
  }

  /// The value before and after a run, for constructors and final checks on the host.
  T host_value() const { return value_; }

 private:
  alignas(sizeof(T)) T value_;
};

}  // namespace simt
