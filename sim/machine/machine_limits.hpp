// Bounds on what one step of the machine does.
#pragma once

#include <cstddef>

namespace simt {

/// Answers about itself that a lane may get in a row, or a warp under `stack`, before it comes to
/// an operation that takes a step: a loop might ask for ever. (A loop that asks nothing is the
/// runner's to notice.)
inline constexpr int local_limit = 100'000;

/// Work between two looks at the time, in words of states: some hundred microseconds.
inline constexpr std::size_t work_in_time = 16'384;

/// Clocks of weak memory that take as long as a word of a state.
inline constexpr std::size_t clocks_in_word = 8;

/// Moves of a warp under `stack`, and answers that a lane gets about itself, between two looks at
/// the time.
inline constexpr int moves_in_time = 4'096;

/// Lanes that may wait at one activemask: the machine enumerates the sets of them.
inline constexpr int activemask_limit = 16;

}  // namespace simt
