// Says how much memory an exploration may take by default.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpcheck {

/// Returns the bytes that this process can still take. That is the least of what the system has
/// available, what its control groups allow, and what its own limits allow (ulimit -v, -d). Control
/// groups are of version 1 or 2, also the groups around them. All bits are one if nothing is known.
std::uint64_t available_memory();

/// Returns what control groups allow. `groups` is /proc/self/cgroup, `root` is /sys/fs/cgroup.
std::uint64_t left_of_control_groups(const std::filesystem::path& groups,
                                     const std::filesystem::path& root);

/// The default limit: three quarters, so that there is room for other things than states.
inline std::uint64_t usual_memory() { return available_memory() / 4 * 3; }

}  // namespace warpcheck
