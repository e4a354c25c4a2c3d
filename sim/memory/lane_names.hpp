// Renames lanes and locations of a weak memory, for symmetry where memory records what lanes know.
//
// Axioms: none. A renamed state allows the same steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/weak_state.hpp"

namespace simt {

/// Each lane `l` becomes `place_of[l]`; a lane that stands for its CTA, `stands_for[place_of[l]]`.
/// The result is not in its canonical form.
void rename_lanes(weak_state& s, std::span<const std::uint32_t> place_of,
                  std::span<const std::uint16_t> stands_for);

/// Each location gets the key that `keys` has for it, in the order of the locations. (Of records
/// of accesses, not.)
void rename_locations(weak_state& s, std::span<const std::uint32_t> keys);

/// By lane, a number that tells lanes apart by what they know and what is known of them, whatever
/// their names are: if lanes change names, these numbers move with them.
std::vector<std::uint32_t> lane_signatures(const weak_state& s);

}  // namespace simt
