// Compares a lane's state with a stored one, until it comes back.
#include "sim/lane/silent_rounds.hpp"

#include <algorithm>
#include <bit>

namespace simt {

bool silent_rounds::ends_at(std::uint32_t block, std::uint64_t count,
                            std::span<const std::uint64_t> state) {
  if (goes_round_) return count >= end_ && block == first_;
  if (std::has_single_bit(count)) {
    std::ranges::copy(state, state_.begin());
    size_ = state.size();
    difference_ = 0;
    first_ = block;
    return false;
  }
  if (state.size() == size_) {
    const auto differs = std::ranges::mismatch(state, std::span(state_).first(size_));
    goes_round_ = differs.in1 == state.end();
    if (!goes_round_) difference_ = static_cast<std::size_t>(differs.in1 - state.begin());
    end_ = std::bit_ceil(count);
  }
  first_ = std::min(first_, block);
  return false;
}

}  // namespace simt
