// Limits on what one step of the machine does.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

namespace simt {

/// The most answers about itself that a lane (under `stack`: a warp) may get in a row, without an
/// operation that takes a step. A loop might ask for ever and never repeat a state. (The lane
/// runner notices loops that ask nothing.)
inline constexpr int local_limit = 100'000;

/// Finds a repetition on a path without choices, without storing the path (Brent 1980).
template <class T>
class round_watch {
 public:
  /// Takes the next element of the path. Returns whether it has come before, so that the path is a
  /// cycle.
  bool comes_again(const T& now) {
    if (steps_ > 0 && now == mark_) return true;
    if (std::has_single_bit(++steps_)) mark_ = now;
    return false;
  }

 private:
  T mark_{};
  std::size_t steps_ = 0;
};

/// The work between two checks of the time limit, in words of states: some hundred microseconds.
inline constexpr std::size_t work_in_time = 16'384;

/// The number of clocks of weak memory that take as long as one word of a state.
inline constexpr std::size_t clocks_in_word = 8;

/// The steps between two checks of the time limit: moves of a warp under `stack`, or answers of a
/// lane about itself.
inline constexpr int moves_in_time = 4'096;

/// The most lanes at one activemask for which the machine enumerates all sets, in a warp of
/// `lanes_of_warp` lanes. In a large warp, many states have such sets.
constexpr int activemask_limit(std::uint32_t lanes_of_warp) { return lanes_of_warp > 12 ? 8 : 12; }

/// The sets that the machine tries for more lanes: all lanes, the first one alone, and the last one
/// alone. One lane at a time, any set of lanes may be left.
constexpr std::array<std::uint32_t, 3> few_sets(std::uint32_t lanes) {
  return {lanes, lanes & (0U - lanes), std::bit_floor(lanes)};
}

}  // namespace simt
