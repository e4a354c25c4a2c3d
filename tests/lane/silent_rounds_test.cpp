// What is taken for a lane that goes round for ever, in sequences of states.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/lane/silent_rounds.hpp"

namespace {

/// Of a lane whose state after n blocks is `state(n)`, and its block that modulo `blocks`: after
/// how many it is told that it goes round for ever. Nothing: not within `limit`.
std::optional<std::uint64_t> ends_after(
    std::uint64_t limit, std::uint32_t blocks,
    const std::function<std::vector<std::uint64_t>(std::uint64_t)>& state) {
  const auto rounds = std::make_unique<simt::silent_rounds>();
  rounds->begin();
  for (std::uint64_t n = simt::silent_rounds::first_look; n < limit; ++n) {
    const std::vector<std::uint64_t> now = state(n);
    const auto block = static_cast<std::uint32_t>(now.back() % blocks);
    if (!rounds->is_apart(block, n, now) && rounds->ends_at(block, n, now)) return n;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("each cycle is found soon, and left at its first block") {
  for (const std::uint64_t before : {0, 70, 1'000}) {
    for (const std::uint64_t cycle : {1, 2, 3, 64, 100, 4'097}) {
      CAPTURE(before);
      CAPTURE(cycle);
      const auto at = [&](std::uint64_t n) {
        return n < before ? n : before + (n - before) % cycle;
      };
      const auto found = ends_after(1'000'000, 5, [&](std::uint64_t n) {
        return std::vector<std::uint64_t>{1, 2, at(n)};
      });
      REQUIRE(found);
      CHECK(*found <= 5 * std::bit_ceil(std::max<std::uint64_t>({64, before, cycle})));
      std::uint64_t first = 4;
      for (std::uint64_t n = before; n < before + cycle; ++n) first = std::min(first, n % 5);
      CHECK(at(*found) % 5 == first);
    }
  }
}

TEST_CASE("states that never come again are no cycle, wherever they differ") {
  for (std::size_t place = 0; place < 6; ++place) {
    CHECK_FALSE(ends_after(70'000, 3, [&](std::uint64_t n) {
      std::vector<std::uint64_t> state(6, n % 4);
      state[place] = n;
      return state;
    }));
  }
  // One that grows, by more of the same.
  CHECK_FALSE(
      ends_after(5'000, 1, [&](std::uint64_t n) { return std::vector<std::uint64_t>(n, 7); }));
}

TEST_CASE("what was before an operation does not count") {
  const auto rounds = std::make_unique<simt::silent_rounds>();
  const std::vector<std::uint64_t> state{1, 2, 3};
  rounds->begin();
  CHECK_FALSE(rounds->ends_at(0, 64, state));
  CHECK_FALSE(rounds->ends_at(0, 65, state));
  rounds->begin();
  for (std::uint64_t n = 64; n < 128; ++n) CHECK_FALSE(rounds->ends_at(0, n, state));
  CHECK(rounds->ends_at(0, 128, state));
}
