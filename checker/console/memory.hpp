// How much memory an exploration may take where nobody says.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpcheck {

/// Bytes that this process can still take: what the system has available, what is left of the
/// limits of its control groups (version 1 or 2, also of groups around them), and of its own limits
/// of address space and data (ulimit -v, -d), whichever is least. All ones where none is known.
std::uint64_t available_memory();

/// The same of control groups alone. `groups` is /proc/self/cgroup, `root` /sys/fs/cgroup.
std::uint64_t left_of_control_groups(const std::filesystem::path& groups,
                                     const std::filesystem::path& root);

/// Where nobody says: three quarters of it, so that what is beside the states has room.
inline std::uint64_t usual_memory() { return available_memory() / 4 * 3; }

}  // namespace warpcheck
