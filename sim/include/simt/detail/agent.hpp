// What the machine tells lanes of asynchronous copies (subject.hpp, simt/ptx/bulk_copy.hpp).
#pragma once

#include <cstdint>

namespace simt::detail {

/// An agent's load gives this in place of the value that a compare_exchange compares with. Once all
/// threads of the block have ended, the answer is all_have_ended.
inline constexpr std::uint64_t asks_for_the_end = 1, all_have_ended = std::uint64_t{1} << 63;

/// What a lane is told of its part in asynchronous copies. 0: its block has no agent.
inline constexpr std::uint32_t is_the_agent = 1, has_an_agent = 2;

}  // namespace simt::detail
