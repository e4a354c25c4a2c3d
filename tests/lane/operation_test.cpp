// What memory operations store and answer, in each size.
#include <doctest/doctest.h>

#include <simt/detail/mbarrier_word.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "sim/lane/operation.hpp"

using simt::operation;
using simt::operation_kind;
using enum simt::detail::memory_kind;
using simt::detail::collective_kind;

namespace {

operation memory_operation(simt::detail::memory_kind what, std::uint8_t size, std::uint64_t operand,
                           std::uint64_t compare = 0) {
  operation op;
  op.kind = operation_kind::memory;
  op.memory = what;
  op.size = size;
  op.operand = operand;
  op.compare = compare;
  return op;
}

std::uint64_t stored(simt::detail::memory_kind what, std::uint8_t size, std::uint64_t old,
                     std::uint64_t operand, std::uint64_t compare = 0) {
  return simt::apply(memory_operation(what, size, operand, compare), old);
}

/// The same for a type, by what C++ says of it.
template <class T>
void check_arithmetic() {
  using bits = std::make_unsigned_t<T>;
  const auto raw = [](T v) { return std::uint64_t{static_cast<bits>(v)}; };
  const T values[] = {0,
                      1,
                      2,
                      77,
                      static_cast<T>(-1),
                      static_cast<T>(-2),
                      std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max()};
  constexpr std::uint8_t size = sizeof(T);
  constexpr bool is_signed = std::is_signed_v<T>;
  // Bits above the size come along with negative values: they do not count.
  const std::uint64_t above = size == 8 ? 0 : ~std::uint64_t{0} << (8 * (size % 8));
  for (const T a : values) {
    for (const T b : values) {
      for (const std::uint64_t more : {std::uint64_t{0}, above}) {
        const std::uint64_t operand = raw(b) | more;
        CAPTURE(size);
        CAPTURE(std::uint64_t{raw(a)});
        CAPTURE(operand);
        CHECK(stored(load, size, raw(a), operand) == raw(a));
        CHECK(stored(store, size, raw(a), operand) == raw(b));
        CHECK(stored(exchange, size, raw(a), operand) == raw(b));
        CHECK(stored(add, size, raw(a), operand) ==
              raw(static_cast<T>(static_cast<bits>(a) + static_cast<bits>(b))));
        CHECK(stored(bit_and, size, raw(a), operand) == raw(static_cast<T>(a & b)));
        CHECK(stored(bit_or, size, raw(a), operand) == raw(static_cast<T>(a | b)));
        CHECK(stored(bit_xor, size, raw(a), operand) == raw(static_cast<T>(a ^ b)));
        CHECK(stored(is_signed ? min_signed : min_unsigned, size, raw(a), operand) ==
              raw(b < a ? b : a));
        CHECK(stored(is_signed ? max_signed : max_unsigned, size, raw(a), operand) ==
              raw(b > a ? b : a));
        if constexpr (!is_signed) {
          CHECK(stored(add_wrap, size, raw(a), operand) ==
                raw(a >= b ? T{0} : static_cast<T>(a + 1)));
          CHECK(stored(sub_wrap, size, raw(a), operand) ==
                raw(a == 0 || a > b ? b : static_cast<T>(a - 1)));
        }
        const operation swap = memory_operation(compare_exchange, size, 5, operand);
        CHECK(simt::apply(swap, raw(a)) == (a == b ? 5 : raw(a)));
        CHECK(simt::fails(swap, raw(a)) == (a != b));
        CHECK(simt::answer(swap, raw(a)) == raw(a));
      }
    }
  }
}

}  // namespace

TEST_CASE("operations on each size of integers") {
  check_arithmetic<std::uint8_t>();
  check_arithmetic<std::int8_t>();
  check_arithmetic<std::uint16_t>();
  check_arithmetic<std::int16_t>();
  check_arithmetic<std::uint32_t>();
  check_arithmetic<std::int32_t>();
  check_arithmetic<std::uint64_t>();
  check_arithmetic<std::int64_t>();
}

TEST_CASE("an mbarrier tells no counts unless it is asked") {
  const std::uint64_t two = simt::detail::mbarrier_initial(2);
  const std::uint64_t phase = std::uint64_t{1} << simt::detail::mbarrier_phase;
  simt::operation arrive = memory_operation(mbarrier, 8, 1);
  const std::uint64_t one = simt::apply(arrive, two);
  const std::uint64_t none = simt::apply(arrive, one);
  CHECK(simt::answer(arrive, two) == 0);
  CHECK(simt::answer(arrive, one) == 0);
  CHECK(simt::answer(arrive, none) == phase);
  CHECK(simt::answer(arrive, 0) == 1);  // mbarrier_misuse::not_live
  arrive.compare = simt::detail::mbarrier_tells_counts;
  CHECK(simt::apply(arrive, two) == one);
  CHECK(simt::answer(arrive, one) == one);
}

TEST_CASE("what is answered") {
  for (const auto what : {exchange, add, bit_and, bit_or, bit_xor, min_signed, max_signed,
                          min_unsigned, max_unsigned, add_wrap, sub_wrap}) {
    CHECK(simt::answer(memory_operation(what, 4, 3), 0xfffffff0) == 0xfffffff0);
    CHECK_FALSE(simt::fails(memory_operation(what, 4, 3), 9));
  }
  CHECK(simt::answer(memory_operation(load, 4, 0), 0xfffffff0) == 0xfffffff0);
  CHECK(simt::answer(memory_operation(load, 4, 0xf0), 0xffffff7f) == 0x70);
  CHECK(simt::answer(memory_operation(store, 4, 3), 9) == 0);
  CHECK(simt::answer(memory_operation(pool_retire, 8, 3), 9) == 0);
}

TEST_CASE("who writes") {
  CHECK_FALSE(memory_operation(load, 4, 0).writes());
  CHECK(memory_operation(store, 4, 0).writes());
  CHECK(memory_operation(add, 4, 0).writes());
  operation fence;
  fence.kind = operation_kind::fence;
  fence.memory = store;
  CHECK_FALSE(fence.writes());
}

TEST_CASE("nodes of a pool") {
  constexpr std::uint64_t one_more = std::uint64_t{1} << simt::detail::pool_word_nodes;
  // A word of three nodes; `compare`: they are used again.
  const operation take = memory_operation(pool_take, 8, 3),
                  again = memory_operation(pool_take, 8, 3, 1);
  std::uint64_t word = 0;
  for (std::uint64_t node = 0; node < 3; ++node) {
    CHECK(simt::answer(take, word) == node);
    word = simt::apply(take, word);
  }
  CHECK(word == 3 * one_more);
  CHECK(simt::answer(take, word) == simt::detail::pool_no_node);
  CHECK(simt::apply(take, word) == word);
  const std::uint64_t retired = simt::apply(memory_operation(pool_retire, 8, 2),
                                            simt::apply(memory_operation(pool_retire, 8, 1), word));
  CHECK(retired == (word | 0b110));
  // The lowest of those that were retired comes first; where they are not used again, none.
  CHECK(simt::answer(again, retired) == 1);
  CHECK(simt::apply(again, retired) == (word | 0b100));
  CHECK(simt::answer(take, retired) == simt::detail::pool_no_node);
  CHECK(simt::apply(take, retired) == retired);
  // One that was retired comes before one that is fresh.
  CHECK(simt::answer(again, one_more | 1) == 0);
  CHECK(simt::apply(again, one_more | 1) == one_more);
  // A node's number is one of all words'.
  CHECK(simt::apply(memory_operation(pool_retire, 8, 56 + 4), 0) == 0b10000);
}

TEST_CASE("reductions") {
  const auto minus = static_cast<std::uint32_t>(-5);
  CHECK(simt::reduced(collective_kind::reduce_add, minus, 7) == 2);
  CHECK(simt::reduced(collective_kind::reduce_min_signed, minus, 7) == minus);
  CHECK(simt::reduced(collective_kind::reduce_max_signed, minus, 7) == 7);
  CHECK(simt::reduced(collective_kind::reduce_min_unsigned, minus, 7) == 7);
  CHECK(simt::reduced(collective_kind::reduce_max_unsigned, minus, 7) == minus);
  CHECK(simt::reduced(collective_kind::reduce_and, 6, 3) == 2);
  CHECK(simt::reduced(collective_kind::reduce_or, 6, 3) == 7);
  CHECK(simt::reduced(collective_kind::reduce_xor, 6, 3) == 5);
}

TEST_CASE("sums of floats") {
  CHECK(stored(add_float, 4, 0x3f800000, 0x40000000) == 0x40400000);  // 1 + 2
  CHECK(stored(add_float, 4, 0x3f800000, 0x33000000) == 0x3f800000);  // 1 + 2^-25
  CHECK(stored(add_float, 4, 0x7f800000, 0xff800000) == 0x7fffffff);  // infinities
  CHECK(stored(add_float, 8, 0x3ff0000000000000, 0x4000000000000000) == 0x4008000000000000);
  CHECK(simt::answer(memory_operation(add_float, 4, 1), 9) == 9);
  // Of 16 bits, which `compare` tells: f16 is 1, bf16 is 2.
  const auto sum = [](std::uint8_t size, std::uint64_t old, std::uint64_t with, unsigned what) {
    return simt::apply(memory_operation(add_float, size, with, what), old);
  };
  CHECK(sum(2, 0x3c00, 0x4000, 1) == 0x4200);              // 1 + 2
  CHECK(sum(2, 0x6801, 0x3c00, 1) == 0x6802);              // 2050 + 1, to even
  CHECK(sum(2, 0x7c00, 0xfc00, 1) == 0x7fff);              // infinities
  CHECK(sum(2, 0x3f80, 0x4000, 2) == 0x4040);              // 1 + 2
  CHECK(sum(2, 0x0001, 0x0001, 2) == 0x0002);              // the least numbers
  CHECK(sum(4, 0x3c00bc00, 0x40003c00, 1) == 0x42000000);  // each half on its own
  CHECK(sum(4, 0x3f80bf80, 0x40003f80, 2) == 0x40400000);
}
