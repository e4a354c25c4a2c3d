// Tells a lane that goes round for ever without a visible operation from one that only takes long.
//
// Between two operations a lane is its stack and the registers and control words that calls
// preserve (what an image has): it writes nothing else, and of all else it reads constants alone.
// (hooks.cpp stops it, or refuses it. What it was told of its own place stays as it is.) Device
// code is deterministic. So a lane that enters a basic block for the second time in the same state
// comes back there for ever. The state is compared with one that was remembered at a power of two,
// which in time lies on the cycle, and is at least as far back as the cycle is long (Brent 1980).
//
// Models: cycles that are at most as long as the lane may run without an operation. Does not model:
// loops that never come back to the same state, such as one that counts to infinity; dead bytes,
// which count like others; processors other than x86-64, where nobody says what the state is.
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
  /// Fewer basic blocks are not looked at: most lanes come to an operation before.
  static constexpr std::uint64_t first_look = 64;  // a power of two

  /// The lane comes from an operation.
  void begin() {
    size_ = 0;
    goes_round_ = false;
  }
  /// The lane enters `block`, the `count`th since its last operation, in this state: `count` goes
  /// up by 1 from `first_look` or less. Whether it goes round for ever, and is to be taken for one
  /// that does so from here on: at the first block of its cycle in the order of their numbers,
  /// after a power of two of blocks. So lanes that enter the same blocks, with cycles of other
  /// lengths, mostly stop together: in lockstep it matters.
  bool ends_at(std::uint32_t block, std::uint64_t count, std::span<const std::uint64_t> state);
  /// Whether it need not be asked. This takes no time, and does not look at the state's first word.
  bool is_apart(std::uint32_t block, std::uint64_t count, std::span<const std::uint64_t> state) {
    const bool is_power = (count & (count - 1)) == 0;
    if (goes_round_ || is_power || state.size() != size_) return false;
    if (difference_ == 0 || state[difference_] == state_[difference_]) return false;
    first_ = std::min(first_, block);
    return true;
  }

 private:
  std::array<std::uint64_t, lane_stack_bytes / 8> state_{};  // at a power of two
  std::size_t size_ = 0;                                     // of it, in words; 0: none
  std::size_t difference_ = 0;  // where the last state was another one: likely the next is, too
  std::uint32_t first_ = 0;     // of the blocks since then
  std::uint64_t end_ = 0;       // the number of blocks after which it stops
  bool goes_round_ = false;
};

}  // namespace simt
