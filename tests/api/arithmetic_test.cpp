// What functions of registers give, against the standard library and bit by bit.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <simt/arithmetic.hpp>

namespace {

template <class W>
std::vector<W> some_words() {
  std::vector<W> all{0, 1, 2, 3, static_cast<W>(~W{0}), static_cast<W>(~W{0} - 1)};
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 8 * sizeof(W); ++i) {
    all.push_back(W{1} << i);
    all.push_back(static_cast<W>((W{1} << i) - 1));
    all.push_back(static_cast<W>(random() >> (random() % 64)));
  }
  return all;
}

template <class W>
W reversed_bit_by_bit(W value) {
  W result = 0;
  for (unsigned i = 0; i < 8 * sizeof(W); ++i) {
    result = static_cast<W>(result << 1 | (value >> i & 1));
  }
  return result;
}

template <class W>
void compare_bits() {
  for (const W value : some_words<W>()) {
    CAPTURE(value);
    const auto as_signed = static_cast<std::make_signed_t<W>>(value);
    CHECK(simt::popc(value) == std::popcount(value));
    CHECK(simt::popc(as_signed) == std::popcount(value));
    CHECK(simt::clz(value) == std::countl_zero(value));
    CHECK(simt::clz(as_signed) == std::countl_zero(value));
    CHECK(simt::ffs(value) == (value == 0 ? 0 : std::countr_zero(value) + 1));
    CHECK(simt::ffs(as_signed) == simt::ffs(value));
    CHECK(simt::brev(value) == reversed_bit_by_bit(value));
  }
}

}  // namespace

TEST_CASE("bits of words") {
  compare_bits<std::uint32_t>();
  compare_bits<std::uint64_t>();
}

TEST_CASE("integers of less than four bytes become int") {
  CHECK(simt::popc(static_cast<signed char>(-1)) == 32);
  CHECK(simt::popc(static_cast<unsigned char>(255)) == 8);
  CHECK(simt::clz(static_cast<unsigned char>(1)) == 31);
  CHECK(simt::brev(static_cast<unsigned short>(1)) == 0x80000000U);
  CHECK(simt::ffs(true) == 1);
}

TEST_CASE("the lesser and the greater one") {
  const std::vector<int> numbers{std::numeric_limits<int>::min(), -1, 0, 1,
                                 std::numeric_limits<int>::max()};
  for (const int a : numbers) {
    for (const int b : numbers) {
      CHECK(simt::min(a, b) == (b < a ? b : a));
      CHECK(simt::max(a, b) == (a < b ? b : a));
      const auto c = static_cast<std::uint64_t>(a), d = static_cast<std::uint64_t>(b);
      CHECK(simt::min(c, d) == (d < c ? d : c));
      CHECK(simt::max(c, d) == (c < d ? d : c));
    }
  }
  CHECK(simt::min(static_cast<short>(-3), static_cast<short>(2)) == -3);
  CHECK(simt::max(false, true));
  CHECK(simt::max(-0.5F, 0.25F) == 0.25F);
  CHECK(simt::min(1.0, std::nan("")) == 1.0);
}

TEST_CASE("in constant expressions") {
  static_assert(simt::ffs(0) == 0 && simt::clz(0) == 32 && simt::clz(0ULL) == 64);
  static_assert(simt::ffs(0x80000000U) == 32 && simt::popc(0xf0U) == 4);
  static_assert(simt::brev(0x12345678U) == 0x1e6a2c48U);
  static_assert(simt::min(1, 2) == 1 && simt::max(1.5, 2.5) == 2.5);
  constexpr auto exchanged = [] {
    int a = 1, b = 2;
    simt::swap(a, b);
    return a * 10 + b;
  }();
  static_assert(exchanged == 21);
}
