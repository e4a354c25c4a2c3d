// Says which states are open in one of several searches, and where they lie on its stack.
//
// Uses open addressing, an eighth to a half full. States leave in any order. Those after a gap
// move up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/states/compressed_table.hpp"

namespace warpcheck {

class open_states {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  [[nodiscard]] std::uint32_t find(state_id s) const {
    if (slots_.empty()) return none;
    for (std::size_t at = home(s);; at = next(at)) {
      if (slots_[at].state == s) return slots_[at].index;
      if (slots_[at].state == compressed_table::none) return none;
    }
  }
  /// Adds a state that is not in the table.
  void insert(state_id s, std::uint32_t index) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    ++count_;
    put({s, index});
  }
  /// Removes a state that is in the table.
  void erase(state_id s) {
    std::size_t gap = home(s);
    while (slots_[gap].state != s) gap = next(gap);
    // Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithm R.
    for (std::size_t at = next(gap); slots_[at].state != compressed_table::none; at = next(at)) {
      const std::size_t wanted = home(slots_[at].state);
      const bool stays = gap <= at ? gap < wanted && wanted <= at : gap < wanted || wanted <= at;
      if (stays) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
    --count_;
  }
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(slot); }

 private:
  struct slot {
    state_id state = compressed_table::none;
    std::uint32_t index = 0;
  };
  std::vector<slot> slots_;
  std::size_t count_ = 0;

  [[nodiscard]] std::size_t home(state_id s) const {
    return (s * std::uint64_t{0x9e3779b97f4a7c15} >> 32) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  void put(slot s) {
    std::size_t at = home(s.state);
    while (slots_[at].state != compressed_table::none) at = next(at);
    slots_[at] = s;
  }
  void grow() {
    std::vector<slot> before(slots_.empty() ? 1024 : 2 * slots_.size());
    before.swap(slots_);
    for (const slot& s : before) {
      if (s.state != compressed_table::none) put(s);
    }
  }
};

}  // namespace warpcheck
