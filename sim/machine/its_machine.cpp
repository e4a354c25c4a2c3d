// Independent Thread Scheduling (Volta and later): every lane is scheduled by itself.
//
// Models: any interleaving of lanes; collectives matched by mask; activemask as any set of lanes.
// Does not model: the tendency of hardware to run converged lanes together.
#include "sim/machine/its_machine.hpp"
#include "sim/machine/groups/warp_groups.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace simt {

using detail::collective_kind;

its_machine::its_machine(machine_setup setup, machine_stores& stores, machine_reductions reduce)
    : machine(setup, stores, std::size_t{setup.grid.threads()} + 2, reduce) {}

state_words its_machine::initial() {
  state_words words(this->words());
  fill_initial(words);
  set_out(words);
  forget_exited(words);
  return words;
}

void its_machine::set_out(std::span<std::uint32_t> words) {
  for (std::uint32_t b = 0; b < setup_.grid.blocks; ++b) come_to_rest(words, b);
}

state_words its_machine::adopt(state_view state) {
  state_words words(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(this->words()));
  set_out(words);
  forget_exited(words);
  return words;
}

void its_machine::settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) {
  // Only states that come from a stack machine have lanes that are not at rest.
  const warp_place& w = places_.warps[warp];
  for (std::uint32_t lane = w.first; lane < w.first + w.lanes; ++lane) {
    if (words[lane] != exited) words[lane] = lanes_.settle(lane, words[lane]);
  }
}

void its_machine::list_steps(state_view state, successor_list& out) {
  out.clear();
  if (awaits_dispatch(state)) return dispatch_choices(state, out);
  if (awaits_launch(state)) return launch_step(state, out);
  bool at_collective = false;
  bool at_barrier = false;
  const steps_ahead::meeting_place* const meeting =
      ahead_ != nullptr && only_ == every_lane ? ahead_->find_meeting(state) : nullptr;
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    const warp_place& warp = places_.warps[w];
    if (!all_resident_ && !is_resident(state, warp.block)) continue;
    if (is_spared_warp(state, w)) continue;
    for (std::uint32_t lane = warp.first; lane < warp.first + warp.lanes; ++lane) {
      const continuation c = state[lane];
      if (c == exited || is_spared(state, lane)) continue;
      if (meeting != nullptr && !ahead_->is_at(c, *meeting)) continue;
      using kind = operation_traits::kind;
      switch (lanes_.traits(c).what) {
        case kind::collective: at_collective = true; break;
        case kind::barrier: at_barrier = true; break;
        default:
          if (lists(lane)) lane_step(state, lane, out);
          break;
      }
    }
  }
  out.suspicious |= lanes_.has_mixed_sizes();
  if (at_collective) {
    for (std::uint32_t w = 0; w < places_.warps.size() && out.here == ending::none; ++w) {
      if (!is_resident(state, places_.warps[w].block) || is_spared_warp(state, w)) continue;
      collective_steps(state, w, out);
    }
  }
  if (at_barrier && out.here == ending::none) barriers_.steps(state, out);
}

bool its_machine::accesses(state_view state, std::vector<std::uint32_t>& lanes) const {
  lanes.clear();
  if (awaits_dispatch(state)) return false;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (waits_at(state, lane).kind == operation_kind::memory &&
        is_resident(state, places_.lanes[lane].block)) {
      lanes.push_back(lane);
    }
  }
  return true;
}

void its_machine::collective_steps(state_view state, std::uint32_t warp, successor_list& out) {
  const warp_place& w = places_.warps[warp];
  const std::uint32_t living = alive(state, warp);

  std::vector<waiting_group> groups;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    const std::uint32_t lane = w.first + i;
    if ((living >> i & 1U) == 0) continue;
    const operation& op = waits_at(state, lane);
    if (op.kind != operation_kind::collective) continue;
    const bool any_set = op.collective == collective_kind::activemask;
    const std::uint32_t mask = warp_collectives::mask_of(op, i, w.full_mask());
    if (!any_set && (mask >> i & 1U) == 0) {  // rule 1
      return out.end_here(fmt::format("{} calls a collective whose mask {:#x} does not contain it",
                                      lane_name(lane, setup_.grid), op.mask));
    }
    const std::uint64_t pc = any_set ? op.pc : 0;
    auto at = std::ranges::find_if(groups, [&](const waiting_group& g) {
      return g.kind == op.collective && g.mask == mask && g.pc == pc;
    });
    if (at == groups.end()) at = groups.insert(at, {op.collective, mask, pc, 0});
    at->lanes |= 1U << i;
  }

  if (const auto circle = circular_wait(groups, living)) {  // rule 2
    const waiting_group& a = groups[std::min(circle->first, circle->second)];
    const waiting_group& b = groups[std::max(circle->first, circle->second)];
    const auto first = [&](const waiting_group& g) {
      return lane_name(w.first + static_cast<std::uint32_t>(std::countr_zero(g.lanes)),
                       setup_.grid);
    };
    return out.end_here(
        a.mask == b.mask
            ? fmt::format("{} and {} wait at different collectives with the same mask {:#x}",
                          first(a), first(b), a.mask)
            : fmt::format("{} waits with mask {:#x} and {} with mask {:#x}: each collective "
                          "needs a lane that waits at the other",
                          first(a), a.mask, first(b), b.mask));
  }
  for (const waiting_group& g : groups) {
    if (g.kind == collective_kind::activemask) {
      if (std::popcount(g.lanes) > activemask_limit(w.lanes)) {
        if (setup_.leaves_masks_out != nullptr) *setup_.leaves_masks_out = true;
        for (const std::uint32_t set : few_sets(g.lanes)) collectives_.step(state, warp, set, out);
        continue;
      }
      // Lists every set of the lanes that wait there, in rising order.
      for (std::uint32_t set = (0U - g.lanes) & g.lanes; set != 0;
           set = (set - g.lanes) & g.lanes) {
        look_at_time(work_in_time / 16);  // lanes may have to run for this step
        collectives_.step(state, warp, set, out);
      }
    } else if (g.lanes == (g.mask & living)) {
      collectives_.step(state, warp, g.lanes, out);
    }
  }
}

}  // namespace simt
