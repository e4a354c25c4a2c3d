// Moves a walker's warps in lockstep: docs/model.md, "Reconvergence: stack".
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sim/machine/groups/warp_groups.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/walk/walker.hpp"

namespace simt {
void walker::go_in_lockstep(std::uint32_t lane, continuation next) {
  const auto& [block, warp, index] = places_.lanes[lane];
  warp_state& w = now_.warps[warp];
  uncount(nodes_[now_.words[lane]]);
  const node& n = nodes_[next];
  if (n.is_alone && sequence_[next] == w.earliest) {  // still among the first lanes
    now_.words[lane] = next;
    return count(lane, n);
  }
  disable(lane);
  const std::uint32_t living = now_.living;
  const bool waits = n.what != kind::exited && n.what != kind::branch && n.what != kind::endless;
  const bool falls_behind = waits && sequence_[next] < w.earliest;
  place(lane, next);
  if (falls_behind) {
    for (std::uint32_t ready = w.ready; ready != 0; ready &= ready - 1) {
      const auto other =
          places_.warps[warp].first + static_cast<std::uint32_t>(std::countr_zero(ready));
      uncount(nodes_[now_.words[other]]);
      disable(other);
    }
  }
  if (w.ready == 0) come_to_front(warp);
  if (now_.living != living) after_exit(warp);
}

/// Finds out which lanes are next, when no lane of the warp is ready.
void walker::come_to_front(std::uint32_t warp) {
  warp_state& w = now_.warps[warp];
  if ((w.active & ~w.at_branch) == 0) settle(warp);
  if (awaits_side(w)) {
    now_.parted.insert(std::ranges::lower_bound(now_.parted, warp), warp);
    return;
  }
  find_front(warp);
}

void walker::find_front(std::uint32_t warp) {
  const warp_place& place = places_.warps[warp];
  warp_state& w = now_.warps[warp];
  std::uint32_t lanes = 0;
  w.earliest = ~std::uint64_t{0};
  for (std::uint32_t left = w.active & ~w.at_branch; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (nodes_[now_.words[place.first + i]].what == kind::endless) continue;
    const std::uint64_t sequence = sequence_[now_.words[place.first + i]];
    if (sequence > w.earliest) continue;
    if (sequence < w.earliest) lanes = 0;
    w.earliest = sequence;
    lanes |= 1U << i;
  }
  if (lanes == 0) return;
  const continuation c =
      now_.words[place.first + static_cast<std::uint32_t>(std::countr_zero(lanes))];
  const kind what = nodes_[c].what;
  if (what == kind::barrier) return consider_barrier(warp, none);
  if (what != kind::collective || nodes_[c].is_alone) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      enable(place.first + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
    return;
  }
  const auto collective = machine_.program().at(c).collective;
  if (collective != detail::collective_kind::activemask &&
      collective != detail::collective_kind::undefined &&
      lane_with_wrong_mask(machine_.collectives().masks_of(now_.words, warp, w.active), w.active,
                           w.alive)) {
    return set_diverging(warp, true);
  }
  now_.joint.push_back({{choice::kind::group, warp, lanes}, warp});
}

/// Moves lanes past the branch where they stand. Returns whether some lane got an answer about
/// itself.
bool walker::enter(std::uint32_t warp, std::uint32_t lanes) {
  bool told = false;
  const std::uint32_t first = places_.warps[warp].first;
  now_.warps[warp].at_branch &= ~lanes;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t lane = first + static_cast<std::uint32_t>(std::countr_zero(lanes));
    const continuation behind = pass(now_.words[lane]);
    const continuation next = rest(lane, behind);
    told = told || next != behind;
    if (nodes_[next].seen != run_) {
      nodes_[next].seen = run_;
      news_ = steps_;
    }
    place(lane, next);
  }
  return told;
}

/// Groups the active lanes, which all stand before a branch, by where they go. Returns the result
/// of enter(), or false.
bool walker::branch(std::uint32_t warp) {
  warp_state& w = now_.warps[warp];
  const std::uint32_t first = places_.warps[warp].first;
  struct side {
    std::uint32_t block;
    std::uint32_t lanes;
  };
  std::array<side, 32> sides;  // not initialized: this function is called often
  std::size_t count = 0;
  std::uint32_t left_block = no_block;
  for (std::uint32_t left = w.active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    const node& n = nodes_[now_.words[first + i]];
    std::size_t at = 0;
    while (at < count && sides[at].block != n.offset) ++at;
    if (at == count) sides[count++] = {n.offset, 0};
    sides[at].lanes |= 1U << i;
    left_block = n.block;
  }
  if (count == 1) {
    if (!w.frames.empty() && w.frames.back().block == sides[0].block) {
      w.frames.back().arrived |= w.active;
      w.active = 0;
      return false;
    }
    return enter(warp, w.active);
  }
  const std::uint32_t join =
      machine_.program().library().roles[left_block].immediate_post_dominator;
  // The branch of a loop reconverges where it did in the last round, so the same frame serves.
  const bool again =
      !w.frames.empty() && w.frames.back().block == join && w.frames.back().pending == 0;
  if (!again) w.frames.push_back({join, 0, 0});
  frame& top = w.frames.back();
  for (std::size_t s = 0; s < count; ++s) {
    if (sides[s].block == join) {
      top.arrived |= sides[s].lanes;
    } else {
      w.sides.push_back(sides[s].lanes);
      ++top.pending;
    }
  }
  std::sort(w.sides.end() - top.pending, w.sides.end());
  w.active = 0;
  return false;
}

void walker::settle(std::uint32_t warp) {
  warp_state& w = now_.warps[warp];
  int answers = 0;
  for (int moves = 1; answers < local_limit; ++moves) {
    if (moves % moves_in_time == 0) machine_.program().give_up_in_time();
    if (w.active != 0) {
      if ((w.active & ~w.at_branch) != 0) return;
      if (branch(warp)) ++answers;
      continue;
    }
    if (w.frames.empty() || awaits_side(w)) return;
    frame& top = w.frames.back();
    if (top.pending == 1) {
      w.active = w.sides.back();
      w.sides.pop_back();
      top.pending = 0;
      if (enter(warp, w.active)) ++answers;
      continue;
    }
    const frame popped = top;
    w.frames.pop_back();
    if (popped.arrived == 0) continue;
    if (!w.frames.empty() && w.frames.back().block == popped.block) {
      w.frames.back().arrived |= popped.arrived;
    } else {
      w.active = popped.arrived;
      if (enter(warp, w.active)) ++answers;
    }
  }
  // Either the machine throws, or active lanes loop for ever.
  sync_stacks(places_.warps[warp].block);
  machine_.settle_warp(now_.words, warp);
  load_stack(warp);
  const warp_place& place = places_.warps[warp];
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    if (!in(w.active, i)) continue;
    if (known(now_.words[place.first + i]).what == kind::endless) w.at_branch &= ~(1U << i);
  }
  if ((w.active & ~w.at_branch) == 0) throw std::logic_error("a warp does not come to rest");
}

std::optional<walker::side_choice> walker::sides() const {
  if (now_.parted.empty()) return std::nullopt;
  const warp_state& w = now_.warps[now_.parted.front()];
  const std::size_t count = w.frames.back().pending;
  return side_choice{now_.parted.front(), {w.sides.data() + w.sides.size() - count, count}};
}

void walker::side_step(const choice& by) {
  warp_state& w = now_.warps[by.unit];
  const auto begin = w.sides.end() - w.frames.back().pending;
  w.sides.erase(std::find(begin, w.sides.end(), by.mask));
  --w.frames.back().pending;
  std::erase(now_.parted, by.unit);
  w.active = by.mask;
  const std::uint32_t living = now_.living;
  enter(by.unit, by.mask);
  come_to_front(by.unit);
  if (now_.living != living) after_exit(by.unit);
}

// --- stacks as the machine has them ---

warp_stack walker::stack_of(const warp_state& w) const {
  warp_stack stack;
  stack.active = w.active;
  auto side = w.sides.begin();
  for (const frame& f : w.frames) {
    stack.frames.push_back({f.block, f.arrived, {side, side + f.pending}});
    side += f.pending;
  }
  return stack;
}

void walker::load_stack(std::uint32_t warp) {
  warp_state& w = now_.warps[warp];
  const warp_stack& stack = machine_.stack(now_.words, warp);
  w.active = stack.active;
  w.frames.clear();
  w.sides.clear();
  for (const warp_frame& f : stack.frames) {
    w.frames.push_back({f.block, f.arrived, static_cast<std::uint32_t>(f.pending.size())});
    w.sides.insert(w.sides.end(), f.pending.begin(), f.pending.end());
  }
}

void walker::sync_stacks(std::uint32_t block) {
  if (!stacks_ || !machine_.is_resident(now_.words, block)) return;
  const std::uint32_t warps = places_.shape.warps();
  for (std::uint32_t warp = block * warps; warp < (block + 1) * warps; ++warp) {
    now_.words[machine_.stack_word(warp)] =
        machine_.stores().stacks.intern(stack_of(now_.warps[warp]));
  }
}

}  // namespace simt
