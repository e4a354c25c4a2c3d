// What a step does to one location where memory is weak, in a numbering of its stores that
// canonical forms leave alone: for who looks for ABA.
//
// A *group* is a store and the read-modify-writes chained to it that store the same value. Nothing
// can ever be stored between them, and canonical forms merge messages only within a group
// (sim/memory/canonical.cpp); beside that, they forget the oldest. So groups are counted from the
// newest, which is number 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

struct coherence_step {
  std::uint32_t offset = 0;  // of the location
  std::uint8_t size = 0;     // in bytes
  std::size_t behind = 0;    // the group that it reads, stores behind, or both
  std::uint64_t old = 0;     // its value
  bool makes = false;        // a new group, directly behind that: it gets its number
  std::uint64_t value = 0;   // of the new group
  std::size_t result = 0;    // the group that the lane has read or made, counted behind the step
};

/// Of choice `by` in `state`; none: it neither accesses memory nor promises to.
std::optional<coherence_step> coherence_step_of(simt::machine& machine, simt::state_view state,
                                                const simt::choice& by);

/// The values of the location's groups, from the newest to the oldest that may still be read.
std::vector<std::uint64_t> group_values(const simt::machine& machine, simt::state_view state,
                                        std::uint32_t offset, std::uint8_t size);

}  // namespace warpcheck
