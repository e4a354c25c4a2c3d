// The pre-Volta SIMT stack. A warp's active lanes run in lockstep, divergent branches run one side
// at a time, and lanes reconverge at the immediate post-dominator.
//
// Models: docs/model.md, "Reconvergence: stack".
// Does not model: the compiler's freedom to choose other reconvergence points.
#include "sim/machine/stack_machine.hpp"
#include "sim/machine/groups/warp_groups.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace simt {
namespace {

// The number of moves in a row before the machine looks for a repetition.
constexpr int few_answers = 64;

}  // namespace

stack_machine::stack_machine(machine_setup setup, machine_stores& stores, machine_reductions reduce)
    : machine(setup, stores,
              std::size_t{setup.grid.threads()} + 2 +
                  std::size_t{setup.grid.blocks} * setup.grid.warps(),
              reduce) {}

state_words stack_machine::initial() {
  state_words words(this->words());
  fill_initial(words);
  set_out(words);
  forget_exited(words);
  return words;
}

void stack_machine::set_out(std::span<std::uint32_t> words) {
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    words[stack_word(w)] = stores_.stacks.intern({places_.warps[w].full_mask(), {}});
  }
  for (std::uint32_t b = 0; b < setup_.grid.blocks; ++b) {
    if (is_resident(words, b)) come_to_rest(words, b);
  }
  if (!all_resident_) dispatch(words);  // only where there is no choice
}

void stack_machine::list_steps(state_view state, successor_list& out) {
  out.clear();
  if (awaits_dispatch(state)) return dispatch_choices(state, out);
  if (awaits_launch(state)) return launch_step(state, out);
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    const warp_stack& stack = this->stack(state, w);
    if (!stack.awaits_choice()) continue;
    out.is_choice = true;
    for (std::size_t side = 0; side < stack.frames.back().pending.size(); ++side) {
      warp_stack chosen = stack;
      auto& pending = chosen.frames.back().pending;
      chosen.active = pending[side];
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(side));
      const auto words = out.add({choice::kind::side, w, chosen.active}, state);
      enter(words, w, chosen.active);
      words[stack_word(w)] = stores_.stacks.intern(chosen);
      come_to_rest(words, places_.warps[w].block);
    }
    return;
  }
  bool at_barrier = false;
  for (std::uint32_t w = 0; w < places_.warps.size() && out.here == ending::none; ++w) {
    if (!is_resident(state, places_.warps[w].block) || is_spared_warp(state, w)) continue;
    warp_steps(state, w, out, at_barrier);
  }
  out.suspicious |= lanes_.has_mixed_sizes();
  if (at_barrier && out.here == ending::none) barriers_.steps(state, out);
}

bool stack_machine::accesses(state_view state, std::vector<std::uint32_t>& lanes) const {
  lanes.clear();
  if (awaits_choice(state)) return false;
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    if (!is_resident(state, places_.warps[w].block)) continue;
    const std::uint32_t enabled = front(state, w);
    for (std::uint32_t i = 0; i < places_.warps[w].lanes; ++i) {
      const std::uint32_t lane = places_.warps[w].first + i;
      if (in(enabled, i) && waits_at(state, lane).kind == operation_kind::memory) {
        lanes.push_back(lane);
      }
    }
  }
  return true;
}

bool stack_machine::awaits_choice(state_view state) const {
  if (awaits_dispatch(state)) return true;
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    if (stack(state, w).awaits_choice()) return true;
  }
  return false;
}

std::uint32_t stack_machine::front(state_view state, std::uint32_t warp) const {
  // Lanes that already stand before a branch wait for the others. An endless lane never gets there.
  const warp_place& w = places_.warps[warp];
  const std::uint32_t active = stack(state, warp).active;
  std::uint64_t earliest = ~std::uint64_t{0};
  std::uint32_t lanes = 0;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(active, i) || state[w.first + i] == exited) continue;
    const operation& op = waits_at(state, w.first + i);
    if (op.kind == operation_kind::branch || op.kind == operation_kind::endless) continue;
    if (op.sequence > earliest) continue;
    if (op.sequence < earliest) lanes = 0;
    earliest = op.sequence;
    lanes |= 1U << i;
  }
  return lanes;
}

void stack_machine::warp_steps(state_view state, std::uint32_t warp, successor_list& out,
                               bool& at_barrier) {
  const warp_place& w = places_.warps[warp];
  const std::uint32_t lanes = front(state, warp);
  if (lanes == 0) return;
  const operation& op =
      waits_at(state, w.first + static_cast<std::uint32_t>(std::countr_zero(lanes)));
  if (op.kind == operation_kind::barrier) {
    at_barrier = true;
    return;
  }
  if (op.kind == operation_kind::collective && op.collective != detail::collective_kind::syncwarp) {
    return collective_steps(state, warp, out);
  }
  // A lane's step that concerns no other lane may as well come first.
  if (spares_repeats_ && ahead_ != nullptr) {
    if (const auto lane = ahead_->lane_ahead(state, warp)) return lane_step(state, *lane, out);
  }
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    const std::uint32_t lane = w.first + i;
    if (in(lanes, i) && lists(lane) && !is_spared(state, lane)) lane_step(state, lane, out);
  }
}

void stack_machine::collective_steps(state_view state, std::uint32_t warp, successor_list& out) {
  const warp_place& w = places_.warps[warp];
  const std::uint32_t lanes = front(state, warp);
  if (lanes == 0) return;
  const operation& op =
      waits_at(state, w.first + static_cast<std::uint32_t>(std::countr_zero(lanes)));
  if (op.kind != operation_kind::collective || op.collective == detail::collective_kind::syncwarp) {
    return;
  }
  const std::uint32_t living = alive(state, warp);
  const std::uint32_t active = stack(state, warp).active & living;
  if (op.collective != detail::collective_kind::activemask &&
      op.collective != detail::collective_kind::undefined) {
    const std::array<std::uint32_t, 32> masks = collectives_.masks_of(state, warp, active);
    if (const auto wrong = lane_with_wrong_mask(masks, active, living)) {
      return out.end_here(
          fmt::format("{} calls a collective with mask {:#x}, but the active lanes "
                      "of its warp are {:#x}{}",
                      lane_name(w.first + *wrong, setup_.grid), masks[*wrong], active,
                      in(masks[*wrong], *wrong) && (masks[*wrong] & living & ~active) == 0
                          ? ", and another lane of that mask has another mask"
                          : ""));
    }
  }
  collectives_.step(state, warp, lanes, out);
}

/// Moves lanes past the branch where they stand. Returns whether some lane got an answer about
/// itself.
bool stack_machine::enter(std::span<std::uint32_t> words, std::uint32_t warp, std::uint32_t lanes) {
  const warp_place& w = places_.warps[warp];
  bool told = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    const continuation behind = lanes_.next(words[w.first + i], 0);
    words[w.first + i] = lanes_.settle(w.first + i, behind);
    told = told || words[w.first + i] != behind;
  }
  return told;
}

/// Groups the active lanes, which all stand before a branch, by where they go. Returns the result
/// of enter(), or false.
bool stack_machine::branch(std::span<std::uint32_t> words, std::uint32_t warp, warp_stack& stack) {
  const warp_place& w = places_.warps[warp];
  std::map<std::uint32_t, std::uint32_t> sides;  // block → lanes
  std::uint32_t left = no_block;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(stack.active, i)) continue;
    const operation& op = waits_at(words, w.first + i);
    sides[op.target] |= 1U << i;
    left = op.block;
  }
  if (sides.size() == 1) {
    if (!stack.frames.empty() && stack.frames.back().block == sides.begin()->first) {
      stack.frames.back().arrived |= stack.active;
      stack.active = 0;
      return false;
    }
    return enter(words, warp, stack.active);
  }
  const std::uint32_t join = stores_.program.library().roles[left].immediate_post_dominator;
  // The branch of a loop reconverges where it did in the last round, so the same frame serves.
  const bool again = !stack.frames.empty() && stack.frames.back().block == join &&
                     stack.frames.back().pending.empty();
  if (!again) stack.frames.push_back({join, 0, {}});
  warp_frame& frame = stack.frames.back();
  for (const auto& [block, lanes] : sides) {
    if (block == join) {
      frame.arrived |= lanes;
    } else {
      frame.pending.push_back(lanes);
    }
  }
  std::ranges::sort(frame.pending);
  stack.active = 0;
  return false;
}

void stack_machine::settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) {
  const warp_place& w = places_.warps[warp];
  warp_stack stack = this->stack(words, warp);
  const auto keep = [&] {
    if (stack != this->stack(words, warp)) words[stack_word(warp)] = stores_.stacks.intern(stack);
  };
  int answers = 0;
  round_watch<std::pair<state_words, warp_stack>> rounds;
  const auto lanes = words.subspan(w.first, w.lanes);
  // Counts rounds in which active lanes got answers about themselves. Returns whether the warp is
  // in an earlier situation again. Then its lanes loop for ever.
  const auto go_round = [&] {
    if (++answers < few_answers) return false;
    if (is_cut() || !rounds.comes_again({{lanes.begin(), lanes.end()}, stack})) return false;
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (in(stack.active & alive(words, warp), i))
        lanes[i] = lanes_.endless(w.first + i, lanes[i]);
    }
    return true;
  };
  for (int moves = 1; answers < local_limit; ++moves) {
    if (moves % moves_in_time == 0) stores_.program.give_up_in_time();
    if (is_cut()) return keep();
    const std::uint32_t living = alive(words, warp);
    stack.active &= living;
    if (stack.active == 0) {
      if (stack.frames.empty() || stack.awaits_choice()) return keep();
      warp_frame& top = stack.frames.back();
      if (!top.pending.empty()) {
        stack.active = top.pending.front();
        top.pending.clear();
        if (enter(words, warp, stack.active) && go_round()) return keep();
        continue;
      }
      const warp_frame popped = std::move(top);
      stack.frames.pop_back();
      if (popped.arrived == 0) continue;
      if (!stack.frames.empty() && stack.frames.back().block == popped.block) {
        stack.frames.back().arrived |= popped.arrived;
      } else {
        stack.active = popped.arrived;
        if (enter(words, warp, stack.active) && go_round()) return keep();
      }
      continue;
    }
    bool all_at_branch = true;
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (in(stack.active, i)) {
        all_at_branch =
            all_at_branch && waits_at(words, w.first + i).kind == operation_kind::branch;
      }
    }
    if (!all_at_branch) return keep();
    if (branch(words, warp, stack) && go_round()) return keep();
  }
  const auto lane =
      w.first + static_cast<std::uint32_t>(std::countr_zero(stack.active != 0 ? stack.active : 1U));
  throw lane_runaway(
      lane_runaway::cause::silent_loop,
      fmt::format("{} runs on without any visible operation", lane_name(lane, setup_.grid)),
      waits_at(words, lane).pc);
}

}  // namespace simt
