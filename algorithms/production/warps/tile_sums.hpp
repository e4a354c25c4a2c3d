// The sum of each tile of four lanes, by shuffles. `Tile` says in which tile a lane is.
#pragma once

#include <simt/simt.hpp>

struct tile_by_quotient {
  SIMT_FN static unsigned of(unsigned lane, unsigned width) { return lane / width; }
};
struct tile_by_remainder {
  SIMT_FN static unsigned of(unsigned lane, unsigned width) { return lane % (32 / width); }
};

template <class Tile>
struct tile_sums {
  static constexpr unsigned width = 4, room = 8;
  int sum[room]{};

  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    const unsigned mask = ((1U << width) - 1) << (Tile::of(lane, width) * width);
    int value = static_cast<int>(lane) + 1;
    for (int distance = 1; distance < static_cast<int>(width); distance *= 2) {
      value += simt::shfl_xor(mask, value, distance, static_cast<int>(width));
    }
    sum[lane] = value;
  }

  const char* check() const {
    for (unsigned lane = 0; lane < room; ++lane) {
      if (sum[lane] != (lane < width ? 10 : 26)) return "a sum is wrong";
    }
    return nullptr;
  }
};
