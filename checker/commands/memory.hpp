// How much memory an exploration may take where nobody says.
#pragma once

#include <cstdint>

namespace warpcheck {

/// Bytes that this process can still take: what the system has available, or what is left of the
/// control group's limit (version 2), whichever is less. All ones where neither is known.
std::uint64_t available_memory();

}  // namespace warpcheck
