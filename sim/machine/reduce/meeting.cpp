// Finds lanes that meet at a location which no other lane ever accesses. Then it suffices to list
// the steps of these lanes. docs/reductions.md, "Lanes that meet".
#include <algorithm>
#include <cstdint>

#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

namespace simt {
namespace {

// The most locations to look at in one state.
constexpr std::size_t most_places = 8;

}  // namespace

bool steps_ahead::is_at(continuation c, const meeting_place& there) {
  const operation_traits t = machine_.lanes().traits(c);
  return t.what == operation_traits::kind::access && t.offset == there.offset &&
         t.size == there.size;
}

template <class F>
void steps_ahead::for_each_lane_at(state_view state, const meeting_place& there, F f) {
  std::uint32_t seen = 0;
  for (std::uint32_t lane = 0; seen < there.lanes; ++lane) {
    if (state[lane] == exited || !is_at(state[lane], there)) continue;
    ++seen;
    f(lane);
  }
}

const steps_ahead::meeting_place* steps_ahead::find_meeting(state_view state) {
  if (machine_.has_stacks() || !machine_.traits_of_memory().is_image) return nullptr;
  if (machine_.setup().has_points || machine_.owes_some_blocks() || !machine_.all_resident()) {
    return nullptr;
  }
  if (reaches_.has_met_divergence() || machine_.setup().grid.cluster > 1) return nullptr;
  meetings_.clear();
  std::uint32_t living = 0;
  continuation last = exited;
  meeting_place* at = nullptr;  // the location at which lanes at `last` stand
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    const continuation c = state[lane];
    if (c == exited) continue;
    ++living;
    if (c != last) {
      last = c;
      at = nullptr;
      const operation_traits t = machine_.lanes().traits(c);
      if (t.what != operation_traits::kind::access) continue;
      const auto known = std::ranges::find_if(meetings_, [&](const meeting_place& one) {
        return one.offset == t.offset && one.size == t.size;
      });
      if (known == meetings_.end() && meetings_.size() == most_places) continue;
      at = known == meetings_.end() ? &meetings_.emplace_back(t.offset, t.size) : &*known;
      at->conflicting |= footprints::conflicting(uses_.of(c, t));
    }
    if (at != nullptr) ++at->lanes;
  }
  if (meetings_.size() < 2) return nullptr;
  others_.look_at(state.first(machine_.places().lanes.size()));
  for (const meeting_place& one : meetings_) {
    if (one.lanes > 1 && one.lanes < living && may_meet_there(state, one)) return &one;
  }
  return nullptr;
}

// Whether no other lane ever reaches a conflicting access, and no lane there ever accesses the
// location again. Then no cycle of states has such a step.
bool steps_ahead::may_meet_there(state_view state, const meeting_place& there) {
  const footprints::cell_range cells = reaches_.cells_of(there.offset, there.size);
  // Whether all lanes that may ever use the cell in this way are among those there.
  const auto is_ours = [&](footprints::use how, std::uint32_t cell) {
    std::uint32_t ours = 0;
    for_each_lane_at(state, there, [&](std::uint32_t lane) {
      if (reaches_.may(state[lane], how, {cell, cell + 1}, footprints::horizon::end)) ++ours;
    });
    return others_.ever(how, cell) == ours;
  };
  for (std::uint32_t cell = cells.first; cell < cells.last; ++cell) {
    for (const footprints::use how : footprints::uses) {
      if (!footprints::has(there.conflicting, how) || others_.ever(how, cell) == 0) continue;
      if (others_.ever(how, cell) > there.lanes || !is_ours(how, cell)) return false;
    }
  }
  bool may_be_listed = true;
  continuation last = exited;
  for_each_lane_at(state, there, [&](std::uint32_t lane) {
    const continuation c = state[lane];
    if (!may_be_listed || c == last) return;
    last = c;
    const operation_traits t = machine_.lanes().traits(c);
    may_be_listed = t.node == no_node && t.block == no_block && !machine_.is_bad(lane, t);
    if (!may_be_listed) return;
    const lane_steps::access_result r =
        machine_.lanes().carry_out(lane, c, state[machine_.memory_word()]);
    may_be_listed = uses_.leads_as_others(c, t, r.first) && !uses_.may_come_to(r.first, cells);
  });
  return may_be_listed;
}

}  // namespace simt
