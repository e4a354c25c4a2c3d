// Guarantees of progress, from the strongest: what a subject may claim (docs/guarantees.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpcheck {

/// Herlihy and Shavit, "On the nature of progress" (OPODIS 2011). Wait-free implies lock-free, and
/// lock-free implies the other two. Blocking promises that under a fair scheduler some operation
/// completes.
enum class guarantee : std::uint8_t { wait_free, lock_free, obstruction_free, blocking };

inline constexpr std::array<std::string_view, 4> guarantee_names{"wait-free", "lock-free",
                                                                 "obstruction-free", "blocking"};

constexpr std::string_view name(guarantee g) {
  return guarantee_names[static_cast<std::size_t>(g)];
}

}  // namespace warpcheck
