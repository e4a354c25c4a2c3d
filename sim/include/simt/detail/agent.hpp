// What the machine tells lanes of asynchronous copies (subject.hpp, simt/ptx/bulk_copy.hpp).
#pragma once

#include <cstdint>

namespace simt::detail {

/// An agent's load gives this in place of the value that a compare_exchange compares with. Once all
/// threads of the block have ended, the answer is all_have_ended.
inline constexpr std::uint64_t asks_for_the_end = 1, all_have_ended = std::uint64_t{1} << 63;

/// An agent carries out several copies at a time, and each copy knows of memory what its thread
/// knew. So where memory is weak, a copy under way is a viewer of its own. Copies are numbered from
/// 1. The operand of `copy_view`:
/// - posted: the thread's next copy knows what the thread knows.
/// - taken: that copy gets a number, which is the answer. The value to compare with has a bit for
///   each number in use. 0: no number is free. (A number is free again if its last copy is known to
///   the thread of the next one, or to all.)
/// - over: the copy with this number, the value to compare with.
enum class copy_views : std::uint64_t { posted, taken, over };
/// More numbers than a block can have copies at a time (simt/ptx/bulk_copy.hpp).
inline constexpr std::uint32_t most_viewing_copies = 14;

/// Bits 27 to 30 of what an access packs (pack_memory): the number of the copy that makes it, or
/// `of_desk`. At the desk threads hand over copies. A word of the desk is no part of the program:
/// it is in order under each memory model, and no lane learns there what another one has done.
inline constexpr std::uint32_t copy_number_at = 27, of_desk = 15;

/// What a lane is told of its part in asynchronous copies. 0: its block has no agent.
inline constexpr std::uint32_t is_the_agent = 1, has_an_agent = 2;

}  // namespace simt::detail
