// Functions of registers alone: bits of integers, the lesser and the greater value, exchange. They
// take no step, have no branches, and can be used on the host and in constant expressions.
//
// CUDA's __ffs, __popc, __clz and __brev, by the type of the argument instead of a suffix. Integers
// of less than 4 bytes become `int` first, as there.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/detail/qualifiers.hpp>

namespace simt {
namespace detail {

/// The unsigned type of what `T` becomes as an operand.
template <class T>
struct word_of_integer {
  static_assert(std::is_integral_v<T>, "ffs, popc, clz and brev take integers");
  static_assert(sizeof(T) <= 8, "ffs, popc, clz and brev take integers of at most 8 bytes");
  using type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
};

/// Swaps neighbouring groups of `bits` bits.
template <class W>
SIMT_HOST_FN constexpr W swapped_groups(W value, int bits, W low) {
  return static_cast<W>((value >> bits & low) | (value & low) << bits);
}

template <class W>
SIMT_HOST_FN constexpr W reversed(W value) {
  value = swapped_groups<W>(value, 1, static_cast<W>(0x5555555555555555U));
  value = swapped_groups<W>(value, 2, static_cast<W>(0x3333333333333333U));
  value = swapped_groups<W>(value, 4, static_cast<W>(0x0f0f0f0f0f0f0f0fU));
  value = swapped_groups<W>(value, 8, static_cast<W>(0x00ff00ff00ff00ffU));
  if constexpr (sizeof(W) == 4) {
    return swapped_groups<W>(value, 16, static_cast<W>(0xffffU));
  } else {
    value = swapped_groups<W>(value, 16, static_cast<W>(0x0000ffff0000ffffU));
    return swapped_groups<W>(value, 32, static_cast<W>(0xffffffffU));
  }
}

/// `yes` or `no`, without a branch, which `?:` is to the simulator.
template <class T>
SIMT_HOST_FN constexpr T chosen(bool condition, T yes, T no) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8,
                "min and max take two numbers of one type");
#if defined(__CUDACC__)
  return condition ? yes : no;
#else
  using bits = std::conditional_t<
      sizeof(T) == 8, std::uint64_t,
      std::conditional_t<sizeof(T) == 4, std::uint32_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t> > >;
  const auto of_yes = static_cast<bits>(0 - static_cast<bits>(condition));
  return __builtin_bit_cast(T, static_cast<bits>((__builtin_bit_cast(bits, yes) & of_yes) |
                                                 (__builtin_bit_cast(bits, no) & ~of_yes)));
#endif
}

}  // namespace detail

/// How many bits are set (CUDA's __popc, __popcll).
template <class T>
SIMT_HOST_FN constexpr int popc(T value) {
  const auto bits = static_cast<typename detail::word_of_integer<T>::type>(value);
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof bits == 8)
      return ::__popcll(bits);
    else
      return ::__popc(bits);
  }
#endif
  if constexpr (sizeof bits == 8)
    return __builtin_popcountll(bits);
  else
    return __builtin_popcount(bits);
}

/// The number of zeros above the highest bit that is set: 32 or 64 of 0 (__clz, __clzll).
template <class T>
SIMT_HOST_FN constexpr int clz(T value) {
  const auto bits = static_cast<typename detail::word_of_integer<T>::type>(value);
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof bits == 8)
      return ::__clzll(static_cast<long long>(bits));
    else
      return ::__clz(static_cast<int>(bits));
  }
#endif
  if constexpr (sizeof bits == 8)
    return __builtin_clzll(bits | 1) + static_cast<int>(bits == 0);
  else
    return __builtin_clz(bits | 1) + static_cast<int>(bits == 0);
}

/// One more than the number of the lowest bit that is set, and 0 of 0 (__ffs, __ffsll).
template <class T>
SIMT_HOST_FN constexpr int ffs(T value) {
  const auto bits = static_cast<typename detail::word_of_integer<T>::type>(value);
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof bits == 8)
      return ::__ffsll(static_cast<long long>(bits));
    else
      return ::__ffs(static_cast<int>(bits));
  }
#endif
  // The bits below the lowest one that is set; all of 0, which is one too many.
  const auto below = static_cast<decltype(bits + 0)>(~bits & (bits - 1));
  return popc(below) + 1 - static_cast<int>(bits == 0) * (static_cast<int>(sizeof bits) * 8 + 1);
}

/// The bits in the opposite order (__brev, __brevll).
template <class T>
SIMT_HOST_FN constexpr auto brev(T value) {
  const auto bits = static_cast<typename detail::word_of_integer<T>::type>(value);
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof bits == 8)
      return static_cast<std::uint64_t>(::__brevll(bits));
    else
      return static_cast<std::uint32_t>(::__brev(bits));
  }
#endif
  return detail::reversed(bits);
}

/// The lesser and the greater one of two numbers of one type. They are taken by value: each
/// argument in shared memory is one load. If one of them is a NaN: `a`.
template <class T>
SIMT_HOST_FN constexpr T min(T a, T b) {
  return detail::chosen(b < a, b, a);
}
template <class T>
SIMT_HOST_FN constexpr T max(T a, T b) {
  return detail::chosen(a < b, b, a);
}

/// Exchanges two values by plain loads and stores: two loads and two stores where they are shared.
template <class T>
requires std::is_trivially_copyable_v<T> SIMT_HOST_FN constexpr void swap(T& a, T& b) {
  const T of_a = a;
  a = b;
  b = of_a;
}

}  // namespace simt
