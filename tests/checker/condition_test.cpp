// What is said of a condition that a lane spins on, from the values that were tried.
#include "checker/report/cause/condition.hpp"

#include <bit>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <doctest/doctest.h>

using warpcheck::condition;

namespace {

using kind = simt::value_type::kind;

/// The text for a loop that is left as `gets_out` says, where the run has shown the value `seen`,
/// and code and data the `constants`.
template <class T>
std::string text(const std::function<bool(T)>& gets_out, T seen = 0,
                 kind type = std::is_signed_v<T> ? kind::signed_integer : kind::unsigned_integer,
                 const std::vector<std::uint64_t>& constants = {}) {
  condition c(sizeof(T), type);
  c.try_values(
      {static_cast<std::uint64_t>(seen)}, 4,
      [&](std::uint64_t value) { return std::optional(gets_out(static_cast<T>(value))); },
      constants);
  for (const std::uint64_t value : c.leaves) CHECK(gets_out(static_cast<T>(value)));
  return c.text([](std::uint64_t value) { return std::to_string(static_cast<T>(value)); });
}

/// The same with constants, where the run has shown 0.
template <class T>
std::string text_with(const std::vector<std::uint64_t>& constants,
                      const std::function<bool(T)>& gets_out) {
  return text<T>(gets_out, 0, std::is_signed_v<T> ? kind::signed_integer : kind::unsigned_integer,
                 constants);
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
  CHECK(text<unsigned>([](unsigned n) { return std::popcount(n) == 2; }) ==
        "is 3, 5, 6, 9 or another one (of the values tried)");
}

TEST_CASE("a value that is no power, nor near one, is found among constants") {
  CHECK(text_with<int>({100}, [](int n) { return n == 100; }) == "is 100");
  CHECK(text_with<unsigned>({0xcafe}, [](unsigned n) { return n == 0xcafe; }) == "is 51966");
  CHECK(text_with<unsigned>({0xcafe}, [](unsigned n) { return n == 0xcaff; }) == "is 51967");
  CHECK(text_with<unsigned long>({0x123456789abcdef}, [](unsigned long n) {
          return n == 0x123456789abcdef;
        }) == "is 81985529216486895");
  CHECK(text_with<short>({0xffffffffffffd8f1}, [](short n) { return n == -9999; }) == "is -9999");
  // Compilers compute with them.
  CHECK(text_with<unsigned>({0x1234, 0x42}, [](unsigned n) { return (n ^ 0x1234U) == 0x42U; }) ==
        "is 4726");
  CHECK(text_with<unsigned>({0x1234}, [](unsigned n) { return n >> 8U == 0x1234; }) ==
        "is 1192960 to 1193215");
  CHECK(text_with<unsigned>({0x300, 0x100}, [](unsigned n) {
          return (n & 0x300) == 0x100 && (n & 0xf) == 5;
        }) == "& 0x30f is 0x105");
  CHECK(text_with<int>({77777, 1000}, [](int n) { return n - 1000 == 77777; }) == "is 78777");
  CHECK(text_with<int>({1000, 300}, [](int n) { return n % 1000 == 300; }) ==
        "is 300 or 1300 (of the values tried)");
  CHECK(text_with<unsigned>({700}, [](unsigned n) { return n % 700 == 0 && n != 0; }) ==
        "is 700, 1400, 2100 or 3500 (of the values tried)");
}

TEST_CASE("ranges") {
  CHECK(text<unsigned>([](unsigned n) { return n >= 4 && n < 9; }) == "is 4 to 8");
  CHECK(text<int>([](int n) { return n < 4 || n > 8; }, 5) == "is not 4 to 8");
  CHECK(text_with<int>({0 - 200UL, 11}, [](int n) { return n >= 200 && n <= 210; }) ==
        "is 200 to 210");
  CHECK(text<int>([](int n) { return n >= -3 && n <= 3; }, 9) == "is -3 to 3");
  CHECK(text<int>([](int n) { return n == 3 || n > 500; }) ==
        "is 3 or is 501 or more (of the values tried)");
}

TEST_CASE("masks") {
  CHECK(text<unsigned>([](unsigned n) { return (n & 6) != 0; }) == "& 0x6 is not 0");
  CHECK(text<unsigned>([](unsigned n) { return (n & 6) == 0; }, 2) == "& 0x6 is 0");
  CHECK(text_with<unsigned>({0xf0, 0x50}, [](unsigned n) { return (n & 0xf0) == 0x50; }) ==
        "& 0xf0 is 0x50");
  CHECK(text<unsigned>([](unsigned n) { return (n & 0xf0) != 0x50; }, 0x51) ==
        "& 0xf0 is not 0x50");
  CHECK(text<unsigned>([](unsigned n) { return (n & 4) != 0 || n == 1; }) ==
        "is 1 or a value whose bit 2 is 1 (of the values tried)");
  CHECK(text_with<unsigned>({0xf0, 0x50, 7}, [](unsigned n) {
          return (n & 0xf0) == 0x50 || n == 7;
        }) == "is 7 or & 0xf0 is 0x50 (of the values tried)");
}

TEST_CASE("all values of a byte are tried") {
  using byte = std::uint8_t;
  CHECK(text<byte>([](byte n) { return n == 77; }) == "is 77");
  CHECK(text<byte>([](byte n) { return n == 77 || n == 200; }) == "is 77 or 200");
  CHECK(text<byte>([](byte n) { return n % 100 == 77; }) == "is 77 or 177");
  CHECK(text<std::int8_t>([](std::int8_t n) { return n < -100; }) == "is -101 or less");
}

TEST_CASE("numbers with a point are ordered as such") {
  const auto leaves = [](std::uint64_t v, bool (*out)(float)) {
    return std::optional(out(std::bit_cast<float>(static_cast<std::uint32_t>(v))));
  };
  const auto text_of = [&](bool (*out)(float)) {
    condition c(4, kind::real);
    c.try_values({0}, 4, [&](std::uint64_t value) { return leaves(value, out); });
    return c.text([](std::uint64_t value) {
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    });
  };
  CHECK(text_of([](float x) { return x >= 2.5F; }) == "is 2.5 or more");
  CHECK(text_of([](float x) { return x <= -0.5F; }) == "is -0.5 or less");
  CHECK(text_of([](float x) { return x == 3; }) == "is 3");
}

TEST_CASE("a text holds for each value that was tried") {
  // Conditions of many shapes, with constants as a compiler leaves them, in a fixed order.
  std::uint64_t seed = 1;
  const auto next = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (seed >> 33U) % below;
  };
  using predicate = std::function<bool(std::int64_t)>;
  const auto atom = [&](std::vector<std::uint64_t>& constants) -> predicate {
    const auto k = static_cast<std::int64_t>(next(2) != 0 ? next(20) : next(100'000));
    const auto m = static_cast<std::int64_t>(next(1024));
    constants.push_back(static_cast<std::uint64_t>(k));
    constants.push_back(static_cast<std::uint64_t>(m));
    constants.push_back(static_cast<std::uint64_t>(k & m));
    switch (next(6)) {
      case 0: return [k](std::int64_t v) { return v == k; };
      case 1: return [k](std::int64_t v) { return v != k; };
      case 2: return [k](std::int64_t v) { return v < k; };
      case 3: return [k](std::int64_t v) { return v > k; };
      case 4: return [m](std::int64_t v) { return (v & m) != 0; };
      default: return [k, m](std::int64_t v) { return (v & m) == (k & m); };
    }
  };
  const auto check = [&](auto number, const predicate& holds,
                         const std::vector<std::uint64_t>& constants) {
    using T = decltype(number);
    condition c(sizeof(T), std::is_signed_v<T> ? kind::signed_integer : kind::unsigned_integer);
    c.try_values(
        {0}, 4,
        [&](std::uint64_t v) { return std::optional(holds(std::int64_t{static_cast<T>(v)})); },
        constants);
    if (c.leaves.empty()) return;
    const auto in_words = [](std::uint64_t v) { return std::to_string(static_cast<T>(v)); };
    const std::string text = c.text(in_words);
    CAPTURE(text);
    // What the words say of a value, by the forms that there are.
    const auto says = [&](std::uint64_t v) -> std::optional<bool> {
      const auto n = std::int64_t{static_cast<T>(v)};
      long long a = 0, b = 0;
      unsigned long long mask = 0, bits = 0;
      int end = 0;
      const auto all = [&](int fields, int wanted) {
        return fields == wanted && end == static_cast<int>(text.size());
      };
      const char* s = text.c_str();
      if (all(std::sscanf(s, "is %lld%n", &a, &end), 1)) return n == a;
      if (all(std::sscanf(s, "is not %lld%n", &a, &end), 1)) return n != a;
      if (end = 0; all(std::sscanf(s, "is %lld or more%n", &a, &end), 1)) return n >= a;
      if (end = 0; all(std::sscanf(s, "is %lld or less%n", &a, &end), 1)) return n <= a;
      if (end = 0; all(std::sscanf(s, "is %lld to %lld%n", &a, &b, &end), 2))
        return n >= a && n <= b;
      if (end = 0; all(std::sscanf(s, "is not %lld to %lld%n", &a, &b, &end), 2))
        return n < a || n > b;
      if (end = 0; all(std::sscanf(s, "& %llx is not %llx%n", &mask, &bits, &end), 2))
        return (v & mask) != bits;
      if (end = 0; all(std::sscanf(s, "& %llx is %llx%n", &mask, &bits, &end), 2))
        return (v & mask) == bits;
      const std::string mark = "another value whose bit ";
      if (const auto at = text.find(mark); at != std::string::npos) {
        unsigned bit = 0, is = 0;
        CHECK(std::sscanf(s + at + mark.size(), "%u is %u", &bit, &is) == 2);
        return (v >> bit & 1U) == is;
      }
      CHECK(text.ends_with("(of the values tried)"));
      return std::nullopt;
    };
    for (const std::uint64_t v : c.leaves) CHECK(says(v).value_or(true));
    for (const std::uint64_t v : c.stays) CHECK_FALSE(says(v).value_or(false));
    // And for such that were not, where it is a rule.
    for (int i = 0; i < 200; ++i) {
      const auto v = static_cast<T>(next(2) != 0 ? next(2'000) : next(200'000));
      const auto bits =
          static_cast<std::uint64_t>(v) & (~std::uint64_t{0} >> (64U - 8U * sizeof(T)));
      const auto said = says(bits);
      CAPTURE(v);
      if (said) CHECK(*said == holds(std::int64_t{v}));
    }
  };
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint64_t> constants;
    const predicate one = atom(constants);
    predicate holds = one;
    if (const auto joined = next(3); joined != 0) {
      const predicate two = atom(constants);
      holds = [one, two, joined](std::int64_t v) {
        return joined == 1 ? one(v) && two(v) : one(v) || two(v);
      };
    }
    CAPTURE(i);
    check(std::int32_t{}, holds, constants);
    check(std::uint32_t{}, holds, constants);
    check(std::int64_t{}, holds, constants);
    check(std::uint16_t{}, holds, constants);
  }
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
