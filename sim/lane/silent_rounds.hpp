// Tells a lane that loops for ever without a visible operation from a lane that only takes long.
//
// Between two operations, a lane's state is its stack, and the registers and control words that
// calls preserve (the contents of an image). It writes nothing else, and otherwise it only reads
// constants: hooks.cpp stops or refuses anything else. Answers about its own place do not change.
//
// Device code is deterministic. So a lane that enters a basic block twice in the same state comes
// back there for ever. The state is compared with one that was stored at a power of two of blocks.
// In time, that one lies on the cycle, and is at least as far back as the cycle is long (Brent
// 1980).
//
// Models: cycles that are at most as long as the lane may run without an operation. Does not model:
// loops that never return to the same state, such as one that counts to infinity. Dead bytes count
// like others. On processors other than x86-64 the state is not known.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace simt {

inline constexpr std::size_t lane_stack_bytes = std::size_t{64} * 1024;

class silent_rounds {
 public:
  /// The number of blocks before the first look: most lanes reach an operation before.
  static constexpr std::uint64_t first_look = 64;  // a power of two

  /// Call when the lane comes from an operation.
  void begin() {
    size_ = 0;
    goes_round_ = false;
  }
  /// The lane enters `block`, the `count`th since its last operation, in this state. `count` goes
  /// up by 1 from `first_look` or less. Returns whether the lane loops for ever and should stop
  /// here. It stops at the block with the lowest number in its cycle, after a power of two of
  /// blocks. So lanes that enter the same blocks, with cycles of other lengths, mostly stop
  /// together, which matters in lockstep.
  bool ends_at(std::uint32_t block, std::uint64_t count, std::span<const std::uint64_t> state);
  /// Whether ends_at() need not be called. This takes almost no time, and does not read the first
  /// word of the state.
  bool is_apart(std::uint32_t block, std::uint64_t count, std::span<const std::uint64_t> state) {
    const bool is_power = (count & (count - 1)) == 0;
    if (goes_round_ || is_power || state.size() != size_) return false;
    if (difference_ == 0 || state[difference_] == state_[difference_]) return false;
    first_ = std::min(first_, block);
    return true;
  }

 private:
  std::array<std::uint64_t, lane_stack_bytes / 8> state_{};  // at a power of two
  std::size_t size_ = 0;                                     // in words; 0: none
  // The word where the last state differed: the next state likely differs there, too.
  std::size_t difference_ = 0;
  std::uint32_t first_ = 0;  // the lowest block since then
  std::uint64_t end_ = 0;    // the number of blocks after which the lane stops
  bool goes_round_ = false;
};

}  // namespace simt
