// What is said of a condition that a lane spins on, from the values that were tried.
#include "checker/report/cause/condition.hpp"

#include <string>

#include <doctest/doctest.h>

using warpcheck::condition;

namespace {

using kind = simt::value_type::kind;

/// The text for a loop that is left as `gets_out` says, where the run has shown the value `seen`.
template <class T>
std::string text(const std::function<bool(T)>& gets_out, T seen = 0,
                 kind type = std::is_signed_v<T> ? kind::signed_integer : kind::unsigned_integer) {
  condition c(sizeof(T), type);
  c.try_values({static_cast<std::uint64_t>(seen)}, 4,
               [&](std::uint64_t value) { return std::optional(gets_out(static_cast<T>(value))); });
  for (const std::uint64_t value : c.leaves) CHECK(gets_out(static_cast<T>(value)));
  return c.text([](std::uint64_t value) { return std::to_string(static_cast<T>(value)); });
}

}  // namespace

TEST_CASE("one value") {
  CHECK(text<int>([](int n) { return n == 3; }) == "is 3");
  CHECK(text<int>([](int n) { return n == -1; }) == "is -1");
  CHECK(text<int>([](int n) { return n == 1001; }, 1000) == "is 1001");
  CHECK(text<unsigned>([](unsigned n) { return n != 7; }, 7) == "is not 7");
}

TEST_CASE("bounds are found wherever they lie, as the type orders numbers") {
  CHECK(text<int>([](int n) { return n >= 4; }, 3) == "is 4 or more");
  CHECK(text<int>([](int n) { return n > 1000; }) == "is 1001 or more");
  CHECK(text<unsigned>([](unsigned n) { return n < 123456; }, ~0U) == "is 123455 or less");
  CHECK(text<int>([](int n) { return n < -5; }) == "is -6 or less");
  CHECK(text<long>([](long n) { return n <= 0; }, 5L) == "is 0 or less");
  CHECK(text<unsigned long>([](unsigned long n) { return n > 1UL << 40; }) ==
        "is 1099511627777 or more");
}

TEST_CASE("bits of masks") {
  CHECK(text<unsigned>([](unsigned n) { return (n & 4) != 0; }) ==
        "is 4, 5, 6, 7 or another value whose bit 2 is 1");
  CHECK(text<unsigned>([](unsigned n) { return (n & 1) == 0; }, 1) ==
        "is 0, 2, 4, 6 or another value whose bit 0 is 0");
  CHECK(text<unsigned>([](unsigned n) {
          return (n & 1U << 20) != 0;
        }).ends_with("or another value whose bit 20 is 1"));
}

TEST_CASE("nothing is said of values that were not tried, where no rule is seen") {
  CHECK(text<int>([](int n) { return n == 2 || n == 4 || n == 9; }) ==
        "is 2, 4 or 9 (of the values tried)");
  CHECK(text<unsigned>([](unsigned n) { return n >= 4 && n < 9; }) ==
        "is 4, 5, 6, 7 or another one (of the values tried)");
  CHECK(text<unsigned>([](unsigned n) { return (n & 6) != 0; }) ==
        "is 2, 3, 4, 5 or another one (of the values tried)");
}

TEST_CASE("what is true or false has no other values") {
  CHECK(text<std::uint8_t>([](std::uint8_t n) { return n != 0; }, 0, kind::boolean) == "is 1");
}

TEST_CASE("a value that comes up later is tried then") {
  condition c(4, kind::unsigned_integer);
  c.try_values({0}, 4, [](std::uint64_t value) { return std::optional(value % 1000 == 300); });
  CHECK(c.lets_go(5300));
  CHECK_FALSE(c.lets_go(5301));
}
