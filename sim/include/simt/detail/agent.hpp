// What the machine tells an agent that waits for copies (simt/ptx/bulk_copy.hpp).
#pragma once

#include <cstdint>

namespace simt::detail {

/// An agent's load that gives this in place of what a compare_exchange compares with: once all
/// threads of the block have ended, the answer is all_have_ended.
inline constexpr std::uint64_t asks_for_the_end = 1, all_have_ended = std::uint64_t{1} << 63;

}  // namespace simt::detail
