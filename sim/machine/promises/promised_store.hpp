// A store that a lane may promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "sim/memory/ptx_memory.hpp"

namespace simt {

/// A store that a lane may promise, and where: as the message `place` of the location.
struct promised_store {
  std::uint32_t offset = 0;
  std::uint8_t size = 0;
  bool chained = false;     // of a read-modify-write
  bool changes = true;      // then: it stores something else than it has read
  bool comes_back = false;  // then: a round of a spin loop that changes nothing
  bool overtaken = false;   // the lane may put it before messages that are there
  // Of a read-modify-write that would acquire from a promise: it cannot be carried out now.
  bool waits = false;
  bool open = false;  // of an exchange, which need not read what it has read alone
  memory_access how;
  std::uint64_t value = 0;
  std::uint64_t old = 0;  // chained: what it has read
  std::size_t place = 0;
  std::size_t newer = 0;  // messages behind that place
  std::uint64_t address = 0;
  std::uint64_t pc = 0;  // of the store
  // Of a plain store that comes before a promise of the lane: all of these (lone_runs::plain),
  // itself the first.
  std::uint32_t plain = 0;
  /// What tells one such store from another, wherever it goes.
  static auto key(const promised_store& s) {
    return std::tuple(s.offset, s.size, s.chained, s.old, s.value, s.how.strong, s.how.release,
                      s.how.scope, s.plain, s.open);
  }
};

}  // namespace simt
