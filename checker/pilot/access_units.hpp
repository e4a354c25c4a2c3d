// Finds where accesses of different sizes overlap, and units in which they can be carried out.
//
// One run under `sc`, before anything is explored, shows where a kernel accesses the same bytes in
// different sizes. (If that run fails, another one is made, and what both have shown counts.)
// Overlaps that only other runs have stay as they are. docs/reductions.md, "Units of plain
// accesses", says why verdicts stay the same.
#pragma once

#include <vector>

#include "sim/automaton/lane_program.hpp"
#include "sim/lane/device_memory.hpp"
#include "sim/machine/machine_setup.hpp"

namespace warpcheck {

/// The ranges, sorted, where plain accesses can have a unit. `program`: of that setup, and of no
/// other use.
std::vector<simt::device_memory::unit_range> units_of_accesses(const simt::machine_setup& setup,
                                                               simt::lane_program& program);

}  // namespace warpcheck
