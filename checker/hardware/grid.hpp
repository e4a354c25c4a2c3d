// Makes larger grids for a scenario that is run on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Says why a scenario is run in its own grid only; empty: it may be run in larger ones. That needs
/// clients that all do the same, and a final check that depends on their number. `workload` is the
/// one that is run.
std::string why_not_larger(const scenario& what, std::string_view workload);

/// Returns the grid `factor` times as large in each dimension in which it has more than one. So
/// blocks, warps and lanes keep their relations, since code that is right between blocks may be
/// wrong between lanes. The grid has at most 32 warps of 32 lanes and 4096 threads. Nothing, if it
/// is not larger.
std::optional<simt::grid_shape> larger(const simt::grid_shape& grid, std::uint32_t factor);

/// Returns "2x1x4" for blocks, warps and lanes; "1x(32,8)" if warps have different numbers of
/// lanes.
std::string grid_name(const simt::grid_shape& grid);

}  // namespace warpcheck
