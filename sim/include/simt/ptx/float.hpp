// PTX's floating-point instructions, as far as IEEE 754 says their results bit for bit.
//
// Models: add, sub, mul, fma, div, sqrt and conversions, in f32 with each rounding, in f64 to the
// nearest; flushing to zero, saturation; f16 and bf16 to the nearest. Does not model:
// approximations; which NaN a result is in f64 and f16.
//
// Sums and products of f32 are exact in f64, or are rounded to odd there. Then rounding once more,
// to f32, gives what rounding once would (Boldo & Melquiond 2008).
#pragma once

#include <simt/detail/hooks.hpp>
#include <simt/ptx/integer.hpp>

namespace simt::ptx {

/// Flags of an instruction.
inline constexpr unsigned plain = 0, ftz = 1, sat = 2;
enum class rounding { nearest, zero, down, up };

inline constexpr u32 nan_f32 = 0x7fffffff;

SIMT_FN constexpr bool is_nan(double v) { return v != v; }

SIMT_FN constexpr u32 flushed(u32 a) {
  return a & (0x80000000U | all_if<u32>((a & 0x7f800000U) != 0));
}
SIMT_FN constexpr u16 flushed_f16(u16 a) {
  return static_cast<u16>(a & (0x8000 | all_if<u16>((a & 0x7c00) != 0)));
}
template <unsigned flags>
SIMT_FN constexpr f32 input(u32 a) {
  if constexpr ((flags & ftz) != 0) return value<f32>(flushed(a));
  return value<f32>(a);
}
/// The bits of a result: one NaN for all, flushed, saturated.
template <unsigned flags>
SIMT_FN constexpr u32 output(f32 v) {
  u32 b = select(is_nan(v), nan_f32, raw(v));
  if constexpr ((flags & ftz) != 0) b = flushed(b);
  if constexpr ((flags & sat) != 0) {
    b = b & all_if<u32>(v > 0.0F);  // also of a NaN
    b = select<u32>(v > 1.0F, 0x3f800000U, b);
  }
  return b;
}

/// The neighbour of v with 24 bits that the rounding asks for. No f32 lies between them.
template <rounding how>
SIMT_FN constexpr f32 to_f32(double v) {
  const auto nearest = static_cast<f32>(v);
  if constexpr (how == rounding::nearest) return nearest;
  const u32 b = raw(nearest);
  const auto got = static_cast<double>(nearest);
  const bool negative = (raw(v) >> 63) != 0;
  // Away from zero, a float's bits count up.
  bool too_large = got > v;
  bool too_small = got < v;
  bool shrinks = false, grows = false;
  if constexpr (how == rounding::zero) {
    shrinks = (static_cast<int>(too_large) & static_cast<int>(!negative)) != 0;
    shrinks = (static_cast<int>(shrinks) |
               (static_cast<int>(too_small) & static_cast<int>(negative))) != 0;
  } else if constexpr (how == rounding::down) {
    shrinks = (static_cast<int>(too_large) & static_cast<int>(!negative)) != 0;
    grows = (static_cast<int>(too_large) & static_cast<int>(negative)) != 0;
  } else {
    shrinks = (static_cast<int>(too_small) & static_cast<int>(negative)) != 0;
    grows = (static_cast<int>(too_small) & static_cast<int>(!negative)) != 0;
  }
  return value<f32>(b - static_cast<u32>(shrinks) + static_cast<u32>(grows));
}

/// to_f32() as the bits of a result. The result is flushed if it is below the least normal number
/// when rounded to 24 bits without a bound on the exponent. So a value that rounds up to the least
/// normal number stays (as an H200 has it).
template <unsigned flags, rounding how>
SIMT_FN constexpr u32 rounded(double v) {
  const u32 b = output<flags>(to_f32<how>(v));
  if constexpr ((flags & ftz) == 0) return b;
  const u32 scaled = raw(to_f32<how>(v * 0x1p100)) & 0x7fffffffU;
  return b & (0x80000000U | all_if<u32>(scaled >= raw(0x1p-26F)));
}

/// a + b, rounded to odd: if it is not exact, the neighbour whose last bit is set.
SIMT_FN constexpr double sum_to_odd(double a, double b) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const double s = a + b;
  const double of_b = s - a;
  const double rest = (a - (s - of_b)) + (b - of_b);
  const u64 bits_of_s = raw(s);
  const bool inexact =
      static_cast<bool>(static_cast<int>(rest != 0) & static_cast<int>(!is_nan(rest)));
  const bool even = (bits_of_s & 1) == 0;
  const bool outward = (rest > 0) == (s > 0);
  const u64 step = select<u64>(outward, 1, ~u64{0});
  const bool moves = static_cast<bool>(static_cast<int>(inexact) & static_cast<int>(even));
  return value<f64>(bits_of_s + (step & all_if<u64>(moves)));
}

/// a + b, rounded to odd, with the sign that a sum of 0 has. That is negative if the sum is rounded
/// down, unless both are +0.
template <rounding how>
SIMT_FN constexpr double sum(double a, double b) {
  const double s = sum_to_odd(a, b);
  if constexpr (how != rounding::down) return s;
  return value<f64>(raw(s) | (all_if<u64>(s == 0) & (raw(a) | raw(b)) & u64{1} << 63));
}

template <class T, unsigned flags = plain, rounding how = rounding::nearest>
SIMT_FN constexpr bits<T> fadd(bits<T> a, bits<T> b) {
  if constexpr (sizeof(T) == 8) {
    return raw(value<f64>(a) + value<f64>(b));
  } else {
    return output<flags>(to_f32<how>(sum<how>(input<flags>(a), input<flags>(b))));
  }
}

template <class T>
SIMT_FN constexpr bits<T> fneg(bits<T> a) {
  return static_cast<bits<T> >(a ^ bits<T>{1} << (width<T> - 1));
}
template <class T>
SIMT_FN constexpr bits<T> fabs(bits<T> a) {
  return static_cast<bits<T> >(a & static_cast<bits<T> >(~(bits<T>{1} << (width<T> - 1))));
}

template <class T, unsigned flags = plain, rounding how = rounding::nearest>
SIMT_FN constexpr bits<T> fsub(bits<T> a, bits<T> b) {
  if constexpr (sizeof(T) == 8) return raw(value<f64>(a) - value<f64>(b));
  return fadd<T, flags, how>(a, fneg<T>(b));
}

template <class T, unsigned flags = plain, rounding how = rounding::nearest>
SIMT_FN constexpr bits<T> fmul(bits<T> a, bits<T> b) {
  if constexpr (sizeof(T) == 8) {
    return raw(value<f64>(a) * value<f64>(b));
  } else {
    return rounded<flags, how>(static_cast<double>(input<flags>(a)) *
                               static_cast<double>(input<flags>(b)));
  }
}

template <class T, unsigned flags = plain, rounding how = rounding::nearest>
SIMT_FN bits<T> fma(bits<T> a, bits<T> b, bits<T> c) {
  if constexpr (sizeof(T) == 8) {
    return simt_hook_fma(a, b, c);
  } else {
    const double product =
        static_cast<double>(input<flags>(a)) * static_cast<double>(input<flags>(b));
    return rounded<flags, how>(sum<how>(product, input<flags>(c)));
  }
}

template <class T, unsigned flags = plain>
SIMT_FN constexpr bits<T> fdiv(bits<T> a, bits<T> b) {
  if constexpr (sizeof(T) == 8) return raw(value<f64>(a) / value<f64>(b));
  // 53 bits are enough for the second rounding to do no harm (Figueroa 1995).
  else
    return rounded<flags, rounding::nearest>(static_cast<double>(input<flags>(a)) /
                                             static_cast<double>(input<flags>(b)));
}

template <class T, unsigned flags = plain>
SIMT_FN bits<T> fsqrt(bits<T> a) {
#if defined(__clang__)
  if constexpr (sizeof(T) == 8)
    return raw(__builtin_elementwise_sqrt(value<f64>(a)));
  else
    return output<flags>(__builtin_elementwise_sqrt(input<flags>(a)));
#else
  if constexpr (sizeof(T) == 8)
    return raw(__builtin_sqrt(value<f64>(a)));
  else
    return output<flags>(__builtin_sqrtf(input<flags>(a)));
#endif
}

/// Of +0 and -0, the negative one is less. `both`: a NaN wins (.NaN).
template <class T, unsigned flags, bool both, bool larger>
SIMT_FN constexpr bits<T> chosen_of(bits<T> first, bits<T> second) {
  bits<T> a = first, b = second;
  if constexpr ((flags & ftz) != 0) {
    a = flushed(a);
    b = flushed(b);
  }
  const T x = value<T>(a), y = value<T>(b);
  const bool a_is_less =
      static_cast<bool>(static_cast<int>(x < y) |
                        (static_cast<int>(x == y) & static_cast<int>((a >> (width<T> - 1)) != 0)));
  const bits<T> number = select(a_is_less != larger, a, b);
  constexpr bits<T> nan =
      sizeof(T) == 8 ? static_cast<bits<T> >(0x7fffffffffffffffU) : static_cast<bits<T> >(nan_f32);
  const bool a_nan = x != x, b_nan = y != y;
  const bits<T> of_a = both ? nan : b;
  const bits<T> of_b = both ? nan : a;
  const bits<T> some = select(b_nan, of_b, select(a_nan, of_a, number));
  return select(static_cast<bool>(static_cast<int>(a_nan) & static_cast<int>(b_nan)), nan, some);
}
template <class T, unsigned flags = plain, bool both = false>
SIMT_FN constexpr bits<T> fmin(bits<T> a, bits<T> b) {
  return chosen_of<T, flags, both, false>(a, b);
}
template <class T, unsigned flags = plain, bool both = false>
SIMT_FN constexpr bits<T> fmax(bits<T> a, bits<T> b) {
  return chosen_of<T, flags, both, true>(a, b);
}

// --- comparison: with a NaN false; with `u` behind its name, true ---

template <class T>
SIMT_FN constexpr bool is_num(T a, T b) {
  return (static_cast<int>(a == a) & static_cast<int>(b == b)) != 0;
}
template <class T>
SIMT_FN constexpr bool is_nan(T a, T b) {
  return !is_num(a, b);
}
template <class T>
SIMT_FN constexpr bool is_lt(T a, T b) {
  return a < b;
}
template <class T>
SIMT_FN constexpr bool is_le(T a, T b) {
  return a <= b;
}
template <class T>
SIMT_FN constexpr bool is_gt(T a, T b) {
  return a > b;
}
template <class T>
SIMT_FN constexpr bool is_ge(T a, T b) {
  return a >= b;
}
template <class T>
SIMT_FN constexpr bool is_eq(T a, T b) {
  return a == b;
}
template <class T>
SIMT_FN constexpr bool is_ne(T a, T b) {
  return (static_cast<int>(a < b) | static_cast<int>(a > b)) != 0;
}
template <class T>
SIMT_FN constexpr bool is_ltu(T a, T b) {
  return !(a >= b);
}
template <class T>
SIMT_FN constexpr bool is_leu(T a, T b) {
  return !(a > b);
}
template <class T>
SIMT_FN constexpr bool is_gtu(T a, T b) {
  return !(a <= b);
}
template <class T>
SIMT_FN constexpr bool is_geu(T a, T b) {
  return !(a < b);
}
template <class T>
SIMT_FN constexpr bool is_equ(T a, T b) {
  return !is_ne(a, b);
}
template <class T>
SIMT_FN constexpr bool is_neu(T a, T b) {
  return !(a == b);
}

// --- f16 and bf16 ---

/// An f16's value, exactly.
SIMT_FN constexpr f64 of_f16(u16 h) {
  const u64 sign = static_cast<u64>(h >> 15) << 63;
  const u32 exponent = h >> 10 & 31U;
  const u32 fraction = h & 0x3ffU;
  const u64 normal = static_cast<u64>(exponent + 1008) << 52 | static_cast<u64>(fraction) << 42;
  const u64 special = u64{0x7ff} << 52 | static_cast<u64>(fraction) << 42;
  const u64 small = raw(static_cast<double>(fraction) * 0x1p-24);
  return value<f64>(sign | select(exponent == 31, special, select(exponent == 0, small, normal)));
}
SIMT_FN constexpr f64 of_bf16(u16 h) {
  return static_cast<double>(value<f32>(static_cast<u32>(h) << 16));
}

/// The nearest number with `fraction` bits behind the leading one, exponents from `least` on, bits
/// of the format as if its exponents had no upper end.
template <unsigned fraction, int least>
SIMT_FN constexpr u32 rounded_small(double v) {
  const u64 b = raw(v) & 0x7fffffffffffffffU;
  const auto exponent = static_cast<int>(b >> 52) - 1023;
  const u64 leading = (b & 0xfffffffffffffU) | u64{1} << 52;
  const int below = simt::max<int>(least - exponent, 0);
  const auto cut =
      static_cast<unsigned>(simt::min<int>(52 - static_cast<int>(fraction) + below, 63));
  const u64 kept = leading >> cut;
  const u64 rest = leading & ((u64{1} << cut) - 1);
  const u64 half = u64{1} << (cut - 1);
  const bool rises =
      static_cast<bool>(static_cast<int>(rest > half) |
                        (static_cast<int>(rest == half) & static_cast<int>(kept & 1)));
  // A normal number's leading bit adds 1 to the exponent, which is why it starts one lower.
  const int field = simt::max<int>(exponent - least, 0);
  const u64 made = (static_cast<u64>(field) << fraction) + kept + static_cast<u64>(rises);
  return static_cast<u32>(simt::min<u64>(made, 0x7fffffff));
}
template <bool finite = false>
SIMT_FN constexpr u16 to_f16(double v) {
  const u32 sign = static_cast<u32>(raw(v) >> 63) << 15;
  const u32 most = finite ? 0x7bff : 0x7c00;
  const u32 number = simt::min<u32>(rounded_small<10, -14>(v), most);
  return static_cast<u16>(select<u32>(is_nan(v), 0x7fff, sign | number));
}
template <bool finite = false>
SIMT_FN constexpr u16 to_bf16(double v) {
  const u32 sign = static_cast<u32>(raw(v) >> 63) << 15;
  const u32 most = finite ? 0x7f7f : 0x7f80;
  const u32 number = simt::min<u32>(rounded_small<7, -126>(v), most);
  return static_cast<u16>(select<u32>(is_nan(v), 0x7fff, sign | number));
}

}  // namespace simt::ptx
