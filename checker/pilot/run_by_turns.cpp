// Schedules one run by turns of its lanes.
#include "checker/pilot/run_by_turns.hpp"

#include <algorithm>

#include "sim/machine/walk/walker.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t steps_without_news = 1000;  // after so many, a lane that spins gives way

// Returns the next choice. Moves that take no step come first. Then comes the lane that ran last,
// or the one behind it if `turn_ends`, then the next one, and last the steps of several lanes
// together. Where a lane gives way, such a step comes first: the lane may spin for what comes after
// the others' barrier.
simt::choice next_choice(simt::walker& walk, std::uint32_t& turn, bool gives_way, bool turn_ends) {
  using kind = simt::choice::kind;
  if (walk.awaits_choice()) {
    std::vector<std::uint32_t> blocks;
    walk.blocks(blocks);
    if (!blocks.empty()) return {kind::dispatch, blocks.front(), 0};
    const auto sides = walk.sides();
    return {kind::side, sides->warp, sides->sides.front()};
  }
  const auto ready = walk.ready();
  const auto joint = walk.joint();
  if (ready.empty() || (gives_way && !joint.empty())) return joint.front().by;
  std::uint32_t best = ready.front();
  const std::uint32_t from = turn + (gives_way || turn_ends ? 1 : 0);
  // The cyclic distance from the lane whose turn it is. Lane numbers are below 2^31.
  const auto distance = [&](std::uint32_t lane) {
    return lane >= from ? lane - from : lane - from + (1U << 31);
  };
  for (const std::uint32_t lane : ready) {
    if (distance(lane) < distance(best)) best = lane;
  }
  turn = best;
  return {kind::lane, best, 0};
}

}  // namespace

one_run run_by_turns(simt::machine& machine, turns how, std::uint64_t most) {
  using end = one_run::end;
  simt::walker walk(machine);
  walk.watch_races(false);
  std::uint32_t turn = 0;
  std::uint64_t news = 0;
  while (!walk.is_complete()) {
    const bool is_stuck = !walk.awaits_choice() && walk.ready().empty() && walk.joint().empty();
    if (is_stuck || walk.diverges()) return {end::failed, {}};
    if (walk.steps() > most) return {end::nowhere, {}};
    const bool gives_way = walk.steps() - std::max(news, walk.last_news()) > steps_without_news;
    if (gives_way) news = walk.steps();
    const simt::choice next = next_choice(walk, turn, gives_way, how == turns::step_by_step);
    if (walk.perform(next) != simt::ending::none) return {end::failed, {}};
  }
  return {end::complete, {walk.memory().begin(), walk.memory().end()}};
}

}  // namespace warpcheck
