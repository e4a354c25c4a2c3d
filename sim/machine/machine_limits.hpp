// Bounds on what one step of the machine does.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

namespace simt {

/// Answers about itself that a lane may get in a row, or a warp under `stack`, before it comes to
/// an operation that takes a step: a loop might ask for ever, and never come to the same again. (A
/// loop that asks nothing is the runner's to notice.)
inline constexpr int local_limit = 100'000;

/// Tells that something comes again on a way that has no choices, without remembering all of it
/// (Brent 1980).
template <class T>
class round_watch {
 public:
  /// `now` comes next on the way. Whether it has come before, and so will come again and again.
  bool comes_again(const T& now) {
    if (steps_ > 0 && now == mark_) return true;
    if (std::has_single_bit(++steps_)) mark_ = now;
    return false;
  }

 private:
  T mark_{};
  std::size_t steps_ = 0;
};

/// Work between two looks at the time, in words of states: some hundred microseconds.
inline constexpr std::size_t work_in_time = 16'384;

/// Clocks of weak memory that take as long as a word of a state.
inline constexpr std::size_t clocks_in_word = 8;

/// Moves of a warp under `stack`, and answers that a lane gets about itself, between two looks at
/// the time.
inline constexpr int moves_in_time = 4'096;

/// Lanes that may wait at one activemask where the machine enumerates all sets of them, in a warp
/// of so many lanes. (In a large warp there are many states with such sets.)
constexpr int activemask_limit(std::uint32_t lanes_of_warp) { return lanes_of_warp > 12 ? 8 : 12; }

/// The sets that are tried where there are more: all lanes, the first alone and the last alone.
/// (With each lane alone, any set of lanes may be left.)
constexpr std::array<std::uint32_t, 3> few_sets(std::uint32_t lanes) {
  return {lanes, lanes & (0U - lanes), std::bit_floor(lanes)};
}

}  // namespace simt
