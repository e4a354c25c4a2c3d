// Describes what one step does to one location under weak memory. Stores have numbers that
// canonical forms do not change.
//
// A *group* is a store together with the read-modify-writes that are chained to it and store its
// value. No store can ever come between them. Canonical forms merge messages only within a group
// (sim/memory/canonical.cpp), and forget the oldest messages. So groups are counted from the
// newest, which is number 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/machine.hpp"

namespace simt {

struct coherence_step {
  std::uint32_t offset = 0;  // of the location
  std::uint8_t size = 0;     // in bytes
  std::size_t behind = 0;    // the group that the step reads, stores behind, or both
  std::uint64_t old = 0;     // the value of group `behind`
  // Whether the step makes a new group, directly behind `behind`, which gets its number.
  bool makes = false;
  std::uint64_t value = 0;  // of the new group
  std::size_t result = 0;   // the group that the lane has read or made, counted after the step
};

/// The effect of choice `by` in `state`. None if the choice neither accesses memory nor promises a
/// store.
std::optional<coherence_step> coherence_step_of(machine& machine, state_view state,
                                                const choice& by);

/// The number of the group of message `m`.
std::size_t group_of(std::span<const stored_value> all, std::size_t m);

/// The values of the location's groups, from the newest to the oldest that may still be read.
std::vector<std::uint64_t> group_values(const machine& machine, state_view state,
                                        std::uint32_t offset, std::uint8_t size);

}  // namespace simt
