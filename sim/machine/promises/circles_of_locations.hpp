// Asks whether there is a circle of locations at all, where a lane may read each location and later
// store to the next one. Load buffering takes such a circle of two locations or more.
//
// Models: docs/memory-model.md, "Where promises are not needed". It looks at no values and at no
// state. So it is fast, and reports possible circles more often than load_buffering does. Very
// large programs count as having a circle.
#pragma once

#include <array>
#include <cstdint>

#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

class machine;

class circles_of_locations {
 public:
  circles_of_locations(machine& of, const weak_memory& memory) : machine_(of), memory_(memory) {}

  /// Whether there may be a circle, as far as lanes are known. The caller holds the lock of the
  /// lanes.
  [[nodiscard]] bool may_be();

 private:
  machine& machine_;
  const weak_memory& memory_;
  /// Amounts of knowledge that the last answer rests on.
  std::array<std::uint64_t, 4> known_{};
  bool is_known_ = false, may_be_ = true;

  [[nodiscard]] bool find();
};

}  // namespace simt
