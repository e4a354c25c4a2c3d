// Finds the units that are at an access or a fence, by looking at each lane that could step.
#include "checker/liveness/held_back.hpp"

#include "sim/lane/operation_table.hpp"

namespace warpcheck {

std::vector<char> units_at_memory(const simt::machine& machine, simt::state_view state) {
  std::vector<char> at_memory(machine.units(), 0);
  const simt::grid_places& places = machine.places();
  for (std::uint32_t lane = 0; lane < places.lanes.size(); ++lane) {
    if (state[lane] == simt::exited || !machine.is_resident(state, places.lanes[lane].block)) {
      continue;
    }
    const std::uint32_t warp = places.lanes[lane].warp;
    const std::uint32_t number = lane - places.warps[warp].first;
    if (machine.has_stacks() && (machine.stack(state, warp).active >> number & 1U) == 0) continue;
    if (may_order(machine.waits_at(state, lane).kind)) at_memory[machine.unit_of_lane(lane)] = 1;
  }
  return at_memory;
}

}  // namespace warpcheck
