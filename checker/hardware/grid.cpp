// Multiplies the dimensions of a scenario's grid, within the limits of a grid.
#include "checker/hardware/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace warpcheck {

namespace {

constexpr std::uint32_t most_warps = 32;
constexpr std::uint32_t most_lanes = 32;
constexpr std::uint32_t most_threads = 4096;  // the limit of any scenario

// The checks of these workloads know how many clients there are.
constexpr std::array<std::string_view, 3> of_any_size{"counter", "capacity", "phases"};

}  // namespace

std::string why_not_larger(const scenario& what, std::string_view workload) {
  if (!what.threads.empty()) return "its clients have operations of their own: no larger grids";
  if (std::ranges::find(of_any_size, workload) == of_any_size.end()) {
    return fmt::format("the workload \"{}\" may be made for this grid: no larger ones", workload);
  }
  if (!what.arrays.empty()) return "its arrays may be made for this grid: no larger ones";
  if (what.grid.threads() == 1) return "it has a single thread: no larger grids";
  return {};
}

std::optional<simt::grid_shape> larger(const simt::grid_shape& grid, std::uint32_t factor) {
  simt::grid_shape made = grid;
  if (grid.warps() > 1) {
    const std::uint32_t warps = std::min(grid.warps() * factor, most_warps);
    for (std::uint32_t i = grid.warps(); i < warps; ++i) {
      made.lanes.push_back(grid.lanes[i % grid.warps()]);
    }
  }
  for (std::uint32_t& lanes : made.lanes) {
    if (lanes > 1) lanes = std::min(lanes * factor, most_lanes);
  }
  if (grid.blocks > 1) made.blocks = grid.blocks * factor;
  made.blocks = std::min(made.blocks, std::max(grid.blocks, most_threads / made.block_threads()));
  made.blocks -= made.blocks % grid.cluster;
  if (made.threads() == grid.threads()) return std::nullopt;
  return made;
}

std::string grid_name(const simt::grid_shape& grid) {
  if (std::ranges::adjacent_find(grid.lanes, std::not_equal_to{}) == grid.lanes.end()) {
    return fmt::format("{}x{}x{}", grid.blocks, grid.warps(), grid.lanes.front());
  }
  return fmt::format("{}x({})", grid.blocks, fmt::join(grid.lanes, ","));
}

}  // namespace warpcheck
