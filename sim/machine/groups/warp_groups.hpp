// Groups of lanes of one warp that wait at one collective: docs/model.md, rules 1 and 2 of barrier
// divergence. Lanes are bits, by their places in the warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <simt/detail/types.hpp>

namespace simt {

/// Lanes that wait at a collective of one kind with one mask, or at one activemask.
struct waiting_group {
  detail::collective_kind kind{};
  std::uint32_t mask = 0;  // 0 for activemask
  std::uint64_t pc = 0;    // for activemask only
  std::uint32_t lanes = 0;
};

/// Finds two groups on a circle: the first waits for a lane of the second. The second waits,
/// directly or through other groups, for a lane of the first. So their collectives can never be
/// carried out. Nothing: there is no circle. `living`: the lanes that have not exited.
std::optional<std::pair<std::size_t, std::size_t>> circular_wait(
    std::span<const waiting_group> groups, std::uint32_t living);

/// Returns the first lane with a wrong mask, under `stack`, where all `active` lanes stand at one
/// collective. The masks (by lane, cut to the warp) must divide the active lanes into groups. They
/// must not name a lane that is alive but not active.
std::optional<std::uint32_t> lane_with_wrong_mask(const std::array<std::uint32_t, 32>& masks,
                                                  std::uint32_t active, std::uint32_t living);

}  // namespace simt
