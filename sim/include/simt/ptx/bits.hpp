// The vocabulary of translated PTX: values of registers are unsigned integers, and an instruction's
// type says what their bits mean.
//
// No function of this folder has a branch, a loop or `?:`: each would be a branch of the kernel.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/arithmetic.hpp>
#include <simt/detail/qualifiers.hpp>

namespace simt::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;
/// Floating-point numbers of 16 bits, by their bits.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};

template <std::size_t size>
using bits_of_size = std::conditional_t<
    size == 8, u64, std::conditional_t<size == 4, u32, std::conditional_t<size == 2, u16, u8> > >;
/// The type of a register that holds a T.
template <class T>
using bits = bits_of_size<sizeof(T)>;
template <class T>
inline constexpr unsigned width = 8 * sizeof(T);

/// The value that the bits stand for, and the bits of a value.
template <class T>
SIMT_FN constexpr T value(bits<T> b) {
  return __builtin_bit_cast(T, b);
}
template <class T>
SIMT_FN constexpr bits<T> raw(T v) {
  return __builtin_bit_cast(bits<T>, v);
}

/// selp: a or b.
template <class B>
SIMT_FN constexpr B select(bool c, B a, B b) {
  return simt::detail::chosen(c, a, b);
}

/// The lowest bits of a register, as a value of type From, widened to To by From's sign.
template <class To, class From, class B>
SIMT_FN constexpr bits<To> widened(B b) {
  return static_cast<bits<To> >(static_cast<To>(value<From>(static_cast<bits<From> >(b))));
}

}  // namespace simt::ptx
