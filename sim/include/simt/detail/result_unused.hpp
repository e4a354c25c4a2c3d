// A property of a memory operation that only translated kernels know.
#pragma once

#include <cstdint>

namespace simt::detail {

/// A bit of pack_memory, beside the scope. No code reads the result, so the lane gets 0. In all
/// else the operation is as without the bit: later fences acquire from what was read, in contrast
/// to `returns_nothing`.
inline constexpr std::uint32_t result_unused = 0x80000000;

}  // namespace simt::detail
