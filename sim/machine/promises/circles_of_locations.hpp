// Whether lanes may read locations and store to them in a circle, at all: whoever reads one stores
// to the next one behind that. Load buffering takes such a circle of two locations or more.
//
// Models: docs/memory-model.md, "Where promises are not needed". Looks at no values, and at no
// state: so it is quick, has no limit, and says more often that there may be one than
// load_buffering does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

class machine;

class circles_of_locations {
 public:
  circles_of_locations(machine& of, const weak_memory& memory) : machine_(of), memory_(memory) {}

  /// Of what is known so far. The caller holds the lock of the lanes.
  [[nodiscard]] bool may_be();

 private:
  using bits = std::vector<std::uint64_t>;  // a set of locations

  machine& machine_;
  const weak_memory& memory_;
  /// What the last answer is about.
  std::array<std::uint64_t, 4> known_{};
  bool is_known_ = false, may_be_ = true;

  [[nodiscard]] bool find();
};

}  // namespace simt
