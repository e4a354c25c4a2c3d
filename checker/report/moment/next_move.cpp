// Names the lanes of a choice, and takes its words from the action of the first lane.
#include "checker/report/moment/next_move.hpp"

#include <fmt/format.h>

#include "checker/report/describe.hpp"
#include "sim/machine/promises/promised_store.hpp"

namespace warpcheck {

next_move next_move_of(session& run, names& named, const trace& so_far, const simt::choice& by) {
  const simt::grid_places& places = run.machine().places();
  next_move move;
  using kind = simt::choice::kind;
  if (by.what == kind::dispatch) return {fmt::format("b{}", by.unit), "its block starts", {}, {}};
  if (by.what == kind::launch) {
    return {"host", fmt::format("its step before launch {}", by.unit), {}, {}};
  }
  if (by.what == kind::side) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t i = 0; i < places.warps[by.unit].lanes; ++i) {
      if (simt::in(by.mask, i)) lanes.push_back(places.warps[by.unit].first + i);
    }
    return {named.lane_range(lanes), "its side first", {}, {}};
  }
  if (by.what == kind::promise) {
    const auto store = run.machine().promises(so_far.last, by.unit).at(by.mask);
    return {named.lane(by.unit),
            fmt::format("{} = {} is visible already", named.variable(store.address),
                        named.value_at(store.address, store.value, store.size)),
            {},
            named.place(store.pc).text_with_function()};
  }
  std::vector<std::uint32_t> lanes;
  for (const lane_action& a : next_actions(run, named, so_far, by)) {
    lanes.push_back(a.lane);
    if (lanes.size() > 1) continue;
    move.text = action_text(a, named);
    move.memory = memory_text(a, named);
    if (a.at.known()) move.source = a.at.text_with_function();
  }
  move.who = named.lane_range(lanes);
  return move;
}

}  // namespace warpcheck
