// PTX's instructions of warps and blocks.
#pragma once

#include <simt/barrier.hpp>
#include <simt/check.hpp>
#include <simt/grid.hpp>
#include <simt/memory.hpp>
#include <simt/ptx/access.hpp>
#include <simt/ptx/integer.hpp>
#include <simt/warp.hpp>

namespace simt::ptx {

/// The lane, of 32, that a shuffle reads from, and whether it is in range (PTX ISA, "shfl"). Bits 8
/// to 12 of c are a mask of segments, bits 0 to 4 a clamp.
struct shuffle_source {
  u32 lane;
  bool in_range;
};
template <simt::detail::shfl_mode mode>
SIMT_FN constexpr shuffle_source shuffle_from(u32 lane, u32 b, u32 c) {
  using enum simt::detail::shfl_mode;
  const u32 segment = c >> 8 & 31;
  const u32 clamp = c & 31;
  const u32 last = (lane & segment) | (clamp & ~segment & 31);
  const u32 first = lane & segment;
  const u32 distance = b & 31;
  s32 from = 0;
  bool in_range = false;
  if constexpr (mode == up) {
    from = static_cast<s32>(lane) - static_cast<s32>(distance);
    in_range = from >= static_cast<s32>(last);
  } else if constexpr (mode == down) {
    from = static_cast<s32>(lane + distance);
    in_range = from <= static_cast<s32>(last);
  } else if constexpr (mode == exclusive_or) {
    from = static_cast<s32>(lane ^ distance);
    in_range = from <= static_cast<s32>(last);
  } else {
    from = static_cast<s32>(first | (distance & ~segment & 31));
    in_range = from <= static_cast<s32>(last);
  }
  return {select(in_range, static_cast<u32>(from), lane), in_range};
}

/// The value of the source lane, by a shuffle by index over the whole warp.
template <simt::detail::shfl_mode mode>
SIMT_FN u32 shuffle(u32 mask, u32 v, u32 b, u32 c, bool& in_range) {
  const shuffle_source from = shuffle_from<mode>(simt::lane_index(), b, c);
  in_range = from.in_range;
  return simt::shfl(mask, v, static_cast<int>(from.lane), 32);
}
/// A shuffle whose c is the one that CUDA's functions give for segments of that width.
template <simt::detail::shfl_mode mode>
SIMT_FN u32 shuffle_in(u32 mask, u32 v, u32 b, u32 width) {
  return simt::detail::shfl<mode>(mask, v, b, static_cast<int>(width));
}

// Registers may hold undefined values: what a shuffle reads from a lane that takes no part, and
// what is computed from it. An origin says so: the line of that shuffle, or 0 if the value is
// defined.

/// Such a shuffle of the value `v` of that origin. Its result is for value_of and origin_of.
template <simt::detail::shfl_mode mode>
SIMT_FN u64 shuffle_if_there(u32 mask, u32 v, u32 origin, u32 b, u32 width) {
  const u32 bits = mode == simt::detail::shfl_mode::index ? width - 1 : 31;
  const std::uint32_t packed =
      simt::detail::pack_shfl(mode, b & bits & 31, width) | simt::detail::shfl_may_miss;
  const u64 mark = static_cast<u64>(origin != 0) << 63 | static_cast<u64>(origin) << 32;
  return simt::detail::collective(simt::detail::collective_kind::shfl, mask, mark | v, packed);
}
SIMT_FN constexpr u32 value_of(u64 shuffled) { return static_cast<u32>(shuffled); }
/// `here`: the line of this shuffle.
SIMT_FN constexpr u32 origin_of(u64 shuffled, u32 here) {
  const u32 earlier = static_cast<u32>(shuffled >> 32) & 0x7fffffffu;
  return select(shuffled >> 63 != 0, select(earlier != 0, earlier, here), u32{0});
}
/// The origin of what is computed from values of these origins.
SIMT_FN constexpr u32 either(u32 a, u32 b) { return select(a != 0, a, b); }
/// The origin of a & b: false decides, whatever the other one is.
SIMT_FN constexpr u32 origin_of_and(bool a, u32 of_a, bool b, u32 of_b) {
  const bool is_false = ((of_a == 0) & !a) | ((of_b == 0) & !b);
  return select(is_false, u32{0}, either(of_a, of_b));
}
/// Something visible depends on a value of that origin.
SIMT_FN void use(u32 origin) {
  simt::detail::collective(simt::detail::collective_kind::undefined, 0, origin);
}

/// The number of a barrier, and the threads that an arrival is for, where the text does not say.
SIMT_FN u32 barrier_of(u32 number) {
  simt::check(number < 16, "a barrier has a number from 0 to 15");
  return number & 15;
}
SIMT_FN u32 arriving_with(u32 threads) {
  simt::check(threads != 0, "an arrival at a barrier is for 32 threads or more");
  return threads | static_cast<u32>(threads == 0) << 5;
}

/// The lowest lane of the mask that takes part.
SIMT_FN u32 leader(u32 mask) { return static_cast<u32>(simt::ffs(simt::ballot(mask, 1)) - 1); }

}  // namespace simt::ptx
