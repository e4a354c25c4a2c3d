// Renames lanes and locations of a weak memory, for symmetry where memory records what lanes know.
//
// Axioms: none. A renamed state allows the same steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/weak_state.hpp"

namespace simt {

/// Renames each lane `l` to `place_of[l]`. A lane that stands for its CTA becomes the one that
/// stands for the new CTA, `stands_for[place_of[l]]`. The result is not canonical.
void rename_lanes(weak_state& s, std::span<const std::uint32_t> place_of,
                  std::span<const std::uint16_t> stands_for);

/// Gives each location the key in `keys`, which has the order of the locations. Keeps the keys of
/// access records.
void rename_locations(weak_state& s, std::span<const std::uint32_t> keys);

/// By lane: a number that tells lanes apart by what they know and what is known of them. It does
/// not depend on names: if lanes change names, the numbers move with them.
std::vector<std::uint32_t> lane_signatures(const weak_state& s);

}  // namespace simt
