// Larger grids for a scenario that is run on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Why a scenario is run in its own grid only; empty: it may be run in larger ones. That is so
/// where all clients do the same, and what is checked in the end goes with their number.
/// `workload`: the one that is run.
std::string why_not_larger(const scenario& what, std::string_view workload);

/// The grid `factor` times as large in each dimension in which it has more than one: blocks, warps
/// and lanes stay what they are to each other, since what is right between blocks may be wrong
/// between lanes. With at most 32 warps of 32 lanes and 4096 threads; nothing, where it is no
/// larger.
std::optional<simt::grid_shape> larger(const simt::grid_shape& grid, std::uint32_t factor);

/// "2x1x4": blocks, warps, lanes; "1x(32,8)" where warps have different numbers of lanes.
std::string grid_name(const simt::grid_shape& grid);

}  // namespace warpcheck
