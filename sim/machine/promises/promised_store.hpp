// A store that a lane may promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "sim/memory/ptx_memory.hpp"

namespace simt {

/// A store that a lane may promise, as message `place` of its location.
struct promised_store {
  std::uint32_t offset = 0;
  std::uint8_t size = 0;
  bool chained = false;     // the store of a read-modify-write
  bool changes = true;      // chained: it stores another value than it has read
  bool comes_back = false;  // chained: a round of a spin loop that changes nothing
  bool overtaken = false;   // the lane may put the store before messages that are there
  // A read-modify-write that would acquire from a promise, so it cannot be carried out now.
  bool waits = false;
  bool open = false;  // an exchange, which need not read the message that it has read alone
  memory_access how;
  std::uint64_t value = 0;
  std::uint64_t old = 0;  // chained: the value that was read
  std::size_t place = 0;
  std::size_t newer = 0;  // the number of messages behind `place`
  std::uint64_t address = 0;
  std::uint64_t pc = 0;  // of the store
  // Of a plain store before a promise of the lane: the number of the list of all such stores
  // (lone_runs::plain), of which this one is the first.
  std::uint32_t plain = 0;
  /// Identifies the store, wherever it is placed.
  static auto key(const promised_store& s) {
    return std::tuple(s.offset, s.size, s.chained, s.old, s.value, s.how.strong, s.how.release,
                      s.how.scope, s.plain, s.open);
  }
};

}  // namespace simt
