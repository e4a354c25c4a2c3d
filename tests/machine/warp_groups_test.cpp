// Which collectives of a warp can never be carried out.
#include <doctest/doctest.h>

#include <vector>

#include "sim/machine/groups/warp_groups.hpp"

using simt::circular_wait;
using simt::lane_with_wrong_mask;
using simt::waiting_group;
using simt::detail::collective_kind;

namespace {

constexpr std::uint32_t all = 0xf;

waiting_group at(std::uint32_t mask, std::uint32_t lanes,
                 collective_kind kind = collective_kind::ballot) {
  return {kind, mask, 0, lanes};
}

}  // namespace

TEST_CASE("who waits for a lane that is still on its way waits in no circle") {
  CHECK_FALSE(circular_wait(std::vector{at(0xf, 0x5)}, all));
  // Lanes 1 and 3 vote first, and come to the full mask then.
  CHECK_FALSE(circular_wait(std::vector{at(0xf, 0x5), at(0xa, 0x2)}, all));
  CHECK_FALSE(circular_wait(std::vector{at(0xf, 0x5), at(0xa, 0xa)}, all));
}

TEST_CASE("two kinds with one mask wait for each other") {
  const auto circle =
      circular_wait(std::vector{at(0x3, 0x1), at(0x3, 0x2, collective_kind::syncwarp)}, all);
  REQUIRE(circle);
  CHECK(circle->first + circle->second == 1);
  // One of them does not, if the other lane has exited.
  CHECK_FALSE(circular_wait(std::vector{at(0x3, 0x1)}, 0x1));
}

TEST_CASE("a circle of three") {
  CHECK(circular_wait(std::vector{at(0x3, 0x1), at(0x6, 0x2), at(0x5, 0x4)}, all));
  CHECK_FALSE(circular_wait(std::vector{at(0x3, 0x1), at(0x6, 0x2), at(0xc, 0x4)}, all));
}

TEST_CASE("an activemask waits for nobody") {
  CHECK_FALSE(
      circular_wait(std::vector{at(0x3, 0x1), at(0, 0x2, collective_kind::activemask)}, all));
}

TEST_CASE("masks that part the active lanes") {
  std::array<std::uint32_t, 32> masks{0x3, 0x3, 0xc, 0xc};
  CHECK_FALSE(lane_with_wrong_mask(masks, 0xf, 0xf));
  // Lanes 2 and 3 are parked: nobody asks for their masks.
  CHECK_FALSE(lane_with_wrong_mask(masks, 0x3, 0xf));
  // Lane 1 is parked, and lane 0 needs it.
  CHECK(lane_with_wrong_mask(masks, 0xd, 0xf) == 0);
  // It has exited.
  CHECK_FALSE(lane_with_wrong_mask(masks, 0xd, 0xd));
  masks[1] = 0xf;
  CHECK(lane_with_wrong_mask(masks, 0xf, 0xf) == 0);
  masks = {0x1, 0x1};
  CHECK(lane_with_wrong_mask(masks, 0x3, 0x3) == 1);
}
