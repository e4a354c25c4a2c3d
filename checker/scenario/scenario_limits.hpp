// Limits the size of a scenario, whichever file describes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck {

inline constexpr std::uint64_t max_threads = 4096;  // of a grid
inline constexpr std::uint64_t max_warps = 32;      // of a block, as CUDA has it
inline constexpr std::uint64_t max_lanes = 32;      // of a warp
inline constexpr std::uint64_t max_cluster = 16;    // blocks
inline constexpr std::uint64_t max_repeat = 1'000'000;
inline constexpr std::uint64_t max_step_bound = 1'000'000;
inline constexpr std::uint64_t max_elements = 1U << 20;  // of a device array
inline constexpr std::uint64_t max_file_size = 1U << 20;
inline constexpr std::size_t max_operations = 1000;  // of a client

}  // namespace warpcheck
