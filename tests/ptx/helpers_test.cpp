// The instructions of translated kernels, against formulas that say the same in another way: bit by
// bit, in 128 bits, or by the processor's own rounding modes.
#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <simt/ptx/convert.hpp>
#include <simt/ptx/float.hpp>
#include <simt/ptx/integer.hpp>

#include "tests/tier.hpp"

namespace {

using namespace simt::ptx;

unsigned rounds() { return test::is_thorough() ? 200'000 : 10'000; }

/// Special numbers now and then.
class numbers {
 public:
  u64 operator()() {
    static const u64 special[] = {0,
                                  1,
                                  2,
                                  31,
                                  32,
                                  33,
                                  63,
                                  64,
                                  255,
                                  256,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  0xffffffffffffffff};
    const u64 choice = random_();
    if (choice % 4 == 0) return special[random_() % std::size(special)];
    if (choice % 4 == 1) return random_() % 70;
    return random_();
  }
  /// Bits of a float: all kinds alike.
  u32 of_f32() {
    static const u32 special[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,
                                  0x800000,   0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
                                  0x7f800000, 0xff800000, 0x7fc00000, 0x3f000000, 0x4b000000,
                                  0x4f000000, 0x5f000000};
    const u64 choice = random_();
    if (choice % 5 == 0) return special[random_() % std::size(special)];
    // Exponents near each other, so that sums are not just the larger one.
    if (choice % 5 < 3)
      return static_cast<u32>((random_() & 0x807fffff) | (100 + random_() % 50) << 23);
    return static_cast<u32>(random_());
  }

 private:
  std::mt19937_64 random_{7};
};

__extension__ using wide = __int128;

template <class T>
T as(u64 bits) {
  return static_cast<T>(bits);
}

template <class T>
void check_integers() {
  numbers next;
  constexpr int w = 8 * sizeof(T);
  using U = bits<T>;
  const auto bit_of = [](u64 v, int i) { return static_cast<int>(v >> i & 1); };
  for (unsigned n = 0; n < rounds(); ++n) {
    const U a = static_cast<U>(next()), b = static_cast<U>(next());
    const u32 s = static_cast<u32>(next());
    const wide x = as<T>(a), y = as<T>(b);
    CHECK(add<T>(a, b) == static_cast<U>(x + y));
    CHECK(sub<T>(a, b) == static_cast<U>(x - y));
    CHECK(mul_lo<T>(a, b) == static_cast<U>(static_cast<wide>(a) * b));
    if constexpr (sizeof(T) < 8) {
      CHECK(mul_hi<T>(a, b) == static_cast<U>(x * y >> w));
      CHECK(mul_wide<T>(a, b) == static_cast<doubled<T>>(x * y));
    } else {
      // From four products of halves, and what the sign changes.
      const u64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
      const u64 middle = (a0 * b0 >> 32) + (a1 * b0 & 0xffffffff) + (a0 * b1 & 0xffffffff);
      u64 high = a1 * b1 + (a1 * b0 >> 32) + (a0 * b1 >> 32) + (middle >> 32);
      if (x < 0) high -= b;
      if (y < 0) high -= a;
      CHECK(mul_hi<T>(a, b) == high);
    }
    CHECK(simt::ptx::min<T>(a, b) == static_cast<U>(x < y ? x : y));
    CHECK(simt::ptx::max<T>(a, b) == static_cast<U>(x < y ? y : x));
    CHECK(simt::ptx::abs<T>(a) == static_cast<U>(x < 0 ? -x : x));
    CHECK(div<T>(a, b) == static_cast<U>(y == 0 ? wide{-1} : x / y));
    CHECK(rem<T>(a, b) == static_cast<U>(y == 0 ? x : x % y));
    bool carry = false, borrow = false;
    const bool in = (s & 1) != 0;
    CHECK(add_cc<T>(a, b, in, carry) == static_cast<U>(a + b + in));
    CHECK(carry == ((static_cast<unsigned __int128>(a) + b + in) >> w != 0));
    CHECK(sub_cc<T>(a, b, in, borrow) == static_cast<U>(a - b - in));
    CHECK(borrow == (static_cast<unsigned __int128>(a) < static_cast<unsigned __int128>(b) + in));
    // Shifts move bit by bit; what comes in is 0 or the sign.
    U left = 0, right = 0;
    const int filled = x < 0 ? 1 : 0;
    for (int i = 0; i < w; ++i) {
      const wide from_right = static_cast<wide>(i) - s;
      if (from_right >= 0) left |= static_cast<U>(U{1} & (a >> static_cast<int>(from_right))) << i;
      const wide from_left = static_cast<wide>(i) + s;
      const int got = from_left < w ? bit_of(a, static_cast<int>(from_left)) : filled;
      right |= static_cast<U>(static_cast<U>(got) << i);
    }
    CHECK(shl<T>(a, s) == left);
    CHECK(shr<T>(a, s) == right);
    if constexpr (sizeof(T) >= 4) {
      // PTX ISA, "bfe" and "bfi", as the pseudo code there. Of 64 bits an H200 minds numbers above
      // 255.
      const u32 place = w == 64 ? std::min<u32>(s, 255) : s & 0xff;
      const int pos = static_cast<int>(place), len = static_cast<int>(next() & 0xff);
      const int msb = w - 1;
      int sign = 0;
      if (std::is_signed_v<T> && len != 0) sign = bit_of(a, std::min(pos + len - 1, msb));
      U extracted = 0, inserted = b;
      for (int i = 0; i <= msb; ++i) {
        const int bit = i < len && pos + i <= msb ? bit_of(a, pos + i) : sign;
        extracted |= static_cast<U>(static_cast<U>(bit) << i);
      }
      for (int i = 0; i < len && pos + i <= msb; ++i) {
        inserted &= static_cast<U>(~(U{1} << (pos + i)));
        inserted |= static_cast<U>(static_cast<U>(i <= msb ? bit_of(a, i) : 0) << (pos + i));
      }
      CHECK(bfe<T>(a, s, static_cast<u32>(len)) == extracted);
      CHECK(bfi<T>(a, b, s, static_cast<u32>(len)) == inserted);
      u32 highest = 0xffffffff;
      for (int i = 0; i <= msb; ++i) {
        if (bit_of(a, i) != filled) highest = static_cast<u32>(i);
      }
      CHECK(bfind<T>(a) == highest);
      CHECK(bfind_shift<T>(a) ==
            (highest == 0xffffffff ? highest : static_cast<u32>(msb) - highest));
    }
  }
}

template <class To, class From>
void check_conversion(numbers& next) {
  const auto a = static_cast<bits<From>>(next());
  const wide v = as<From>(a);
  const wide low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  CHECK(cvt<To, From, false>(a) == static_cast<bits<To>>(v));
  CHECK(cvt<To, From, true>(a) == static_cast<bits<To>>(v < low ? low : v > high ? high : v));
}

/// What the processor makes of it in one of its rounding modes.
template <class F>
u32 in_mode(int mode, F compute) {
  std::fesetround(mode);
  volatile float result = compute();
  std::fesetround(FE_TONEAREST);
  const float r = result;
  return r != r ? 0x7fffffff : std::bit_cast<u32>(r);
}

template <rounding how>
void check_rounded(int mode, u32 a, u32 b, u32 c) {
  volatile float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b),
                 z = std::bit_cast<float>(c);
  CHECK(fadd<f32, plain, how>(a, b) == in_mode(mode, [&] { return x + y; }));
  CHECK(fsub<f32, plain, how>(a, b) == in_mode(mode, [&] { return x - y; }));
  CHECK(fmul<f32, plain, how>(a, b) == in_mode(mode, [&] { return x * y; }));
  CHECK(simt::ptx::fma<f32, plain, how>(a, b, c) ==
        in_mode(mode, [&] { return std::fma(x, y, z); }));
  volatile double d = static_cast<double>(x) * static_cast<double>(y) * (1.0 + 0x1p-40);
  const double exact = d;
  CHECK(output<plain>(to_f32<how>(exact)) == in_mode(mode, [&] { return static_cast<float>(d); }));
}

}  // namespace

TEST_CASE("integers") {
  check_integers<u16>();
  check_integers<s16>();
  check_integers<u32>();
  check_integers<s32>();
  check_integers<u64>();
  check_integers<s64>();
}

TEST_CASE("words of bits") {
  numbers next;
  for (unsigned n = 0; n < rounds(); ++n) {
    const u32 a = static_cast<u32>(next()), b = static_cast<u32>(next()),
              c = static_cast<u32>(next());
    // prmt, as its table in the PTX ISA.
    const u64 both = static_cast<u64>(b) << 32 | a;
    u32 permuted = 0;
    for (int i = 0; i < 4; ++i) {
      const u32 selector = c >> 4 * i & 15;
      u32 byte = static_cast<u32>(both >> 8 * (selector & 7)) & 255;
      if (selector & 8) byte = byte & 128 ? 255 : 0;
      permuted |= byte << 8 * i;
    }
    CHECK(prmt(a, b, c) == permuted);
    const auto by_table = [&](const int(&rows)[4][4]) {
      u32 made = 0;
      for (int i = 0; i < 4; ++i)
        made |= static_cast<u32>(both >> 8 * rows[c & 3][3 - i] & 255) << 8 * i;
      return made;
    };
    CHECK(prmt_f4e(a, b, c) == by_table({{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}));
    CHECK(prmt_b4e(a, b, c) == by_table({{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}));
    CHECK(prmt_rc8(a, b, c) == by_table({{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}));
    CHECK(prmt_ecl(a, b, c) == by_table({{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}));
    CHECK(prmt_ecr(a, b, c) == by_table({{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}));
    CHECK(prmt_rc16(a, b, c) == by_table({{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}));
    u32 majority = 0;
    for (int i = 0; i < 32; ++i) {
      const unsigned index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      majority |= (0xe8U >> index & 1) << i;
    }
    CHECK(lop3<0xe8>(a, b, c) == majority);
    const unsigned wrapped = c & 31, clamped_to = c > 32 ? 32 : c;
    const auto left = [&](unsigned by) {
      return by == 0 ? b : by == 32 ? a : b << by | a >> (32 - by);
    };
    const auto right = [&](unsigned by) {
      return by == 0 ? a : by == 32 ? b : a >> by | b << (32 - by);
    };
    CHECK(shf_l_wrap(a, b, c) == left(wrapped));
    CHECK(shf_r_wrap(a, b, c) == right(wrapped));
    CHECK(shf_l_clamp(a, b, c) == left(clamped_to));
    CHECK(shf_r_clamp(a, b, c) == right(clamped_to));
    wide sum = static_cast<s32>(c);
    for (int i = 0; i < 4; ++i)
      sum += static_cast<int>(static_cast<s8>(a >> 8 * i)) * static_cast<int>(b >> 8 * i & 255);
    CHECK(dp4a<s8, u8>(a, b, c) == static_cast<u32>(sum));
    const s64 total = static_cast<s64>(static_cast<s32>(a)) + static_cast<s32>(b);
    CHECK(static_cast<s32>(add_sat(a, b)) == (total > 0x7fffffff      ? 0x7fffffff
                                              : total < -0x80000000LL ? -0x80000000LL
                                                                      : total));
    u32 mask = 0;
    for (int i = 0; i < 32; ++i) {
      if (static_cast<u64>(i) >= a && static_cast<u64>(i) < static_cast<u64>(a) + b)
        mask |= 1U << i;
    }
    CHECK(bmsk<false>(a, b) == mask);
  }
}

TEST_CASE("conversions of integers") {
  numbers next;
  for (unsigned n = 0; n < rounds(); ++n) {
    check_conversion<u8, s32>(next);
    check_conversion<s8, u32>(next);
    check_conversion<s16, s64>(next);
    check_conversion<u16, s16>(next);
    check_conversion<u32, s64>(next);
    check_conversion<s32, u64>(next);
    check_conversion<u64, s8>(next);
    check_conversion<s64, u64>(next);
    check_conversion<s64, s32>(next);
    check_conversion<u64, u8>(next);
  }
}

TEST_CASE("f32 in each rounding") {
  numbers next;
  for (unsigned n = 0; n < rounds(); ++n) {
    const u32 a = next.of_f32(), b = next.of_f32(), c = next.of_f32();
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    check_rounded<rounding::nearest>(FE_TONEAREST, a, b, c);
    check_rounded<rounding::zero>(FE_TOWARDZERO, a, b, c);
    check_rounded<rounding::down>(FE_DOWNWARD, a, b, c);
    check_rounded<rounding::up>(FE_UPWARD, a, b, c);
    volatile float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    CHECK(fdiv<f32>(a, b) == in_mode(FE_TONEAREST, [&] { return x / y; }));
    CHECK(fsqrt<f32>(a) == in_mode(FE_TONEAREST, [&] { return std::sqrt(x); }));
  }
}

TEST_CASE("f32: flushing, saturation, least and greatest") {
  CHECK(fadd<f32, ftz>(1, 1) == 0);
  CHECK(fadd<f32>(1, 1) == 2);
  CHECK(fmul<f32, ftz>(0x80000001, 0x3f800000) == 0x80000000);
  CHECK(fadd<f32, sat>(0x3f800000, 0x3f800000) == 0x3f800000);
  CHECK(fadd<f32, sat>(0xbf800000, 0) == 0);
  CHECK(fadd<f32, sat>(0x7fc00000, 0) == 0);
  CHECK(fadd<f32>(0x7f800000, 0xff800000) == nan_f32);
  CHECK(simt::ptx::fmin<f32>(0, 0x80000000) == 0x80000000);
  CHECK(simt::ptx::fmax<f32>(0x80000000, 0) == 0);
  CHECK(simt::ptx::fmin<f32>(0x7fc00000, 0x3f800000) == 0x3f800000);
  CHECK(simt::ptx::fmin<f32, plain, true>(0x7fc00000, 0x3f800000) == nan_f32);
  CHECK(simt::ptx::fmax<f32>(0x7fc00000, 0x7fc00000) == nan_f32);
}

TEST_CASE("whole numbers") {
  numbers next;
  for (unsigned n = 0; n < rounds(); ++n) {
    const u32 a = next.of_f32();
    const double v = std::bit_cast<float>(a);
    if (v != v) continue;
    CAPTURE(a);
    const auto same = [](double x, double y) {
      return std::bit_cast<u64>(x) == std::bit_cast<u64>(y);
    };
    CHECK(same(whole<rounding::nearest>(v), std::nearbyint(v)));
    CHECK(same(whole<rounding::zero>(v), std::trunc(v)));
    CHECK(same(whole<rounding::down>(v), std::floor(v)));
    CHECK(same(whole<rounding::up>(v), std::ceil(v)));
    const auto expected = [](double w, double low, double high) {
      return w < low ? low : w > high ? high : w;
    };
    CHECK(static_cast<s32>(to_integer<s32, rounding::zero, false>(v)) ==
          static_cast<s32>(expected(std::trunc(v), -0x1p31, 0x1p31 - 1)));
    CHECK(to_integer<u32, rounding::nearest, false>(v) ==
          static_cast<u32>(expected(std::nearbyint(v), 0, 0x1p32 - 1)));
    CHECK(static_cast<s8>(to_integer<s8, rounding::down, false>(v)) ==
          static_cast<s8>(expected(std::floor(v), -128, 127)));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(to_integer<s64, rounding::zero, true>(0x1p63) == 0x7fffffffffffffff);
  CHECK(to_integer<s64, rounding::zero, true>(-0x1p70) == 0x8000000000000000);
  CHECK(to_integer<u64, rounding::zero, true>(0x1p63) == 0x8000000000000000);
  CHECK(to_integer<s32, rounding::zero, false>(nan) == 0);
  CHECK(to_integer<s32, rounding::zero, true>(nan) == 0x80000000);
}

TEST_CASE("numbers of 16 bits, all of them") {
  for (u32 h = 0; h < 0x10000; ++h) {
    const u32 exponent = h >> 10 & 31, fraction = h & 0x3ff;
    double v = exponent == 0 ? std::ldexp(fraction, -24)
                             : std::ldexp(0x400 + fraction, static_cast<int>(exponent) - 25);
    if (exponent == 31) v = fraction == 0 ? std::numeric_limits<double>::infinity() : NAN;
    if (h & 0x8000) v = -v;
    const double got = of_f16(static_cast<u16>(h));
    if (v != v) {
      REQUIRE(got != got);
      continue;
    }
    REQUIRE(got == v);
    REQUIRE(to_f16(v) == h);
    // Half way to the next one, and a little more and less.
    if (exponent == 31 || (h & 0x7fff) == 0x7bff) continue;
    const double next = of_f16(static_cast<u16>(h + 1)), middle = (v + next) / 2;
    const u32 even = h + (h & 1);
    REQUIRE(to_f16(middle) == even);
    REQUIRE(to_f16(std::nextafter(middle, v)) == h);
    REQUIRE(to_f16(std::nextafter(middle, next)) == h + 1);
  }
  for (u32 h = 0; h < 0x10000; ++h) {
    const float v = std::bit_cast<float>(h << 16);
    if (v != v) continue;
    REQUIRE(of_bf16(static_cast<u16>(h)) == v);
    REQUIRE(to_bf16(v) == h);
    if ((h & 0x7fff) >= 0x7f7f) continue;
    const double next = std::bit_cast<float>((h + 1) << 16), middle = (v + next) / 2;
    REQUIRE(to_bf16(middle) == h + (h & 1));
    REQUIRE(to_bf16(std::nextafter(middle, next)) == h + 1);
  }
  CHECK(to_f16(65520.0) == 0x7c00);
  CHECK(to_f16(65519.9) == 0x7bff);
}
