// PTX's conversions between integers and floating-point numbers (PTX ISA, "cvt").
#pragma once

#include <simt/ptx/float.hpp>

namespace simt::ptx {

/// The whole number next to v, as the rounding says.
template <rounding how>
SIMT_FN constexpr double whole(double v) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const double size = value<f64>(fabs<f64>(raw(v)));
  // From 2^52 on, all numbers are whole. Below, adding 2^52 leaves no bits behind the point.
  const double shifted = (size + 0x1p52) - 0x1p52;
  const u64 sign = raw(v) & u64{1} << 63;
  const double nearest = value<f64>(select(size < 0x1p52, raw(shifted) | sign, raw(v)));
  double lower = nearest - static_cast<double>(nearest > v);
  double upper = nearest + static_cast<double>(nearest < v);
  lower = value<f64>(raw(value<f64>(fabs<f64>(raw(lower)))) |
                     select(lower == 0, sign, raw(lower) & u64{1} << 63));
  upper = value<f64>(raw(value<f64>(fabs<f64>(raw(upper)))) |
                     select(upper == 0, sign, raw(upper) & u64{1} << 63));
  if constexpr (how == rounding::nearest) return nearest;
  if constexpr (how == rounding::down) return lower;
  if constexpr (how == rounding::up) return upper;
  return value<f64>(select(sign != 0, raw(upper), raw(lower)));
}

/// Clamped to the range of To. `from_f64`: what a NaN becomes depends on it.
template <class To, rounding how, bool from_f64>
SIMT_FN constexpr bits<To> to_integer(double v) {
  const double w = whole<how>(v);
  constexpr double low = is_signed<To> ? -static_cast<double>(u64{1} << (width<To> - 1)) : 0.0;
  constexpr double over = is_signed<To> ? static_cast<double>(u64{1} << (width<To> - 1))
                                        : 2.0 * static_cast<double>(u64{1} << (width<To> - 1));
  constexpr bits<To> least =
      is_signed<To> ? static_cast<bits<To> >(u64{1} << (width<To> - 1)) : bits<To>{0};
  constexpr auto most = static_cast<bits<To> >(~least);
  constexpr bits<To> nan =
      from_f64 || sizeof(To) == 8 ? static_cast<bits<To> >(u64{1} << (width<To> - 1)) : bits<To>{0};
  const bool fits = static_cast<bool>(static_cast<int>(w >= low) & static_cast<int>(w < over));
  const double safe = value<f64>(raw(w) & all_if<u64>(fits));
  bits<To> result{};
  if constexpr (is_signed<To>) {
    result = static_cast<bits<To> >(static_cast<s64>(safe));
  } else {
    result = static_cast<bits<To> >(static_cast<u64>(safe));
  }
  result = select(w >= over, most, select(w < low, least, result));
  return select(is_nan(v), nan, result);
}

/// Converts an integer to f32. Integers of 32 bits and less have each rounding, others the nearest.
template <class From, rounding how = rounding::nearest>
SIMT_FN constexpr u32 integer_to_f32(bits<From> a) {
  if constexpr (sizeof(From) == 8) {
    return raw(static_cast<f32>(value<From>(a)));
  } else {
    return raw(to_f32<how>(static_cast<double>(value<From>(a))));
  }
}
template <class From>
SIMT_FN constexpr u64 integer_to_f64(bits<From> a) {
  return raw(static_cast<f64>(value<From>(a)));
}

}  // namespace simt::ptx
