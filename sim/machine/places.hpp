// The place of each lane of a grid: block, warp, and index in the warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/model/model.hpp"

namespace simt {

/// Whether lane `index` of a warp is in `mask`.
constexpr bool in(std::uint32_t mask, std::uint32_t index) {
  return index < 32 && (mask >> index & 1U) != 0;
}

struct place {
  std::uint32_t block = 0;  // in the grid
  std::uint32_t warp = 0;   // in the grid
  std::uint32_t index = 0;  // in the warp
};

struct warp_place {
  std::uint32_t block = 0;
  std::uint32_t first = 0;  // the first lane, in the grid
  std::uint32_t lanes = 0;
  [[nodiscard]] std::uint32_t full_mask() const {
    return lanes == 32 ? 0xffffffffU : (1U << lanes) - 1U;
  }
};

struct grid_places {
  grid_shape shape;
  std::vector<place> lanes;
  std::vector<warp_place> warps;

  explicit grid_places(grid_shape grid) : shape(std::move(grid)) {
    for (std::uint32_t b = 0; b < shape.blocks; ++b) {
      for (const std::uint32_t n : shape.lanes) {
        const auto w = static_cast<std::uint32_t>(warps.size());
        warps.push_back({b, static_cast<std::uint32_t>(lanes.size()), n});
        for (std::uint32_t i = 0; i < n; ++i) lanes.push_back({b, w, i});
      }
    }
  }
  /// Whether the mask of a collective covers all lanes of a warp, for every warp.
  [[nodiscard]] bool are_covered_by(std::uint32_t mask) const {
    return std::ranges::all_of(
        warps, [&](const warp_place& w) { return (mask & w.full_mask()) == w.full_mask(); });
  }
};

}  // namespace simt
