// Carries out what lanes do together: collectives, barriers, dispatched blocks, launches.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sim/lane/operation_table.hpp"
#include "sim/machine/groups/warp_groups.hpp"
#include "sim/machine/its_machine.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/walk/walker.hpp"

namespace simt {
namespace {

using detail::collective_kind;

bool same_barrier(const operation& a, const operation& b) {
  return a.pc == b.pc && a.number == b.number && a.count == b.count && a.barrier == b.barrier;
}

const transition& find(const successor_list& list, const choice& by) {
  const transition* const t = list.find(by);
  if (t == nullptr) throw std::logic_error("this choice cannot be made here");
  return *t;
}

}  // namespace

void walker::drop_joint(std::uint32_t owner) {
  std::erase_if(now_.joint, [owner](const joint_step& j) { return j.owner == owner; });
  set_diverging(owner, false);
}

void walker::set_diverging(std::uint32_t owner, bool diverges) {
  if ((now_.diverging[owner] != 0) == diverges) return;
  now_.diverging[owner] = diverges ? 1 : 0;
  now_.divergences += diverges ? 1U : ~0U;
}

// --- collectives under `its` ---

void walker::arrive_at_collective(std::uint32_t lane) {
  const auto& [block, warp, index] = places_.lanes[lane];
  warp_state& w = now_.warps[warp];
  const warp_place& place = places_.warps[warp];
  const operation& op = machine_.program().at(now_.words[lane]);
  // In the usual case, all waiting lanes wait at one collective.
  bool usual = w.alike && op.collective != collective_kind::activemask && in(op.mask, index);
  if (const std::uint32_t others = w.at_collective & ~(1U << index); usual && others != 0) {
    const auto first = place.first + static_cast<std::uint32_t>(std::countr_zero(others));
    const operation& theirs = machine_.program().at(now_.words[first]);
    usual =
        theirs.collective == op.collective && ((theirs.mask ^ op.mask) & place.full_mask()) == 0;
  }
  if (!usual) {
    w.alike = false;
    return check_collectives(warp);
  }
  if (w.at_collective != (op.mask & w.alive)) return;
  now_.joint.push_back({{choice::kind::group, warp, w.at_collective}, warp});
}

// Lists the collectives that can be carried out, and checks rules 1 and 2 of divergence:
// docs/model.md, "Reconvergence: its".
void walker::check_collectives(std::uint32_t warp) {
  const warp_state& w = now_.warps[warp];
  const warp_place& place = places_.warps[warp];
  std::array<waiting_group, 32> all;
  std::size_t count = 0;
  drop_joint(warp);
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    if (!in(w.at_collective, i)) continue;
    const operation& op = machine_.program().at(now_.words[place.first + i]);
    const bool any_set = op.collective == collective_kind::activemask;
    const std::uint32_t mask = warp_collectives::mask_of(op, i, place.full_mask());
    const std::uint64_t pc = any_set ? op.pc : 0;
    if (!any_set && !in(mask, i)) return set_diverging(warp, true);
    std::size_t at = 0;
    while (at < count &&
           (all[at].kind != op.collective || all[at].mask != mask || all[at].pc != pc)) {
      ++at;
    }
    if (at == count) all[count++] = {op.collective, mask, pc, 0};
    all[at].lanes |= 1U << i;
  }
  if (circular_wait({all.data(), count}, w.alive)) return set_diverging(warp, true);
  for (std::size_t g = 0; g < count; ++g) {
    const choice by{choice::kind::group, warp, all[g].lanes};
    if (all[g].kind == collective_kind::activemask) {
      const bool is_any_set = std::popcount(all[g].lanes) <= activemask_limit(place.lanes);
      now_.joint.push_back({by, warp, is_any_set});
      if (is_any_set) continue;
      for (const std::uint32_t set : few_sets(all[g].lanes)) {
        if (set != all[g].lanes)
          now_.joint.push_back({choice{choice::kind::group, warp, set}, warp});
      }
    } else if (all[g].lanes == (all[g].mask & w.alive)) {
      now_.joint.push_back({by, warp});
    }
  }
}

ending walker::collective_step(const choice& by) {
  const std::uint32_t warp = by.unit;
  const warp_place& place = places_.warps[warp];
  warp_state& w = now_.warps[warp];
  std::array<std::uint64_t, 32> answers;
  std::string why;
  if (!machine_.collectives().collect_answers(now_.words, warp, by.mask, answers, why)) {
    return ending::barrier_divergence;
  }
  std::array<continuation, 32> next;
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    if (!in(by.mask, i)) continue;
    next[i] = after(place.first + i, now_.words[place.first + i], answers[i]);
  }
  drop_joint(warp);
  w.at_collective &= ~by.mask;
  const std::uint32_t living = now_.living;
  const std::uint32_t at_barrier = w.at_barrier;
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    if (in(by.mask, i)) this->place(place.first + i, next[i]);
  }
  if (stacks_) come_to_front(warp);
  w.alike = w.at_collective == 0;
  if (w.at_collective != 0) check_collectives(warp);
  if (w.at_barrier != at_barrier) check_barrier(place.block);
  if (now_.living != living) after_exit(warp);
  return ending::none;
}

// --- barriers of a block ---

/// Asks the machine only if a barrier may be complete or may diverge.
void walker::consider_barrier(std::uint32_t warp, std::uint32_t arrived) {
  const warp_place& place = places_.warps[warp];
  if (now_.waiting[place.block] == 0) return;
  const warp_state& w = now_.warps[warp];
  const operation* const op =
      arrived == none ? nullptr : &machine_.program().at(now_.words[arrived]);
  const bool is_half_of_cluster =
      op != nullptr && op->kind == operation_kind::barrier && is_half(op->barrier);
  bool now = is_half_of_cluster || w.at_barrier == w.alive ||
             (stacks_ && w.active != 0 && w.at_barrier == w.active);
  const std::uint32_t others =
      arrived == none ? 0 : w.at_barrier & ~(1U << places_.lanes[arrived].index);
  if (!now && others != 0) {
    const auto first = place.first + static_cast<std::uint32_t>(std::countr_zero(others));
    now = !same_barrier(machine_.program().at(now_.words[first]),
                        machine_.program().at(now_.words[arrived]));
  }
  if (now) check_barrier(place.block);
}

void walker::check_barrier(std::uint32_t block) {
  const auto owner = static_cast<std::uint32_t>(places_.warps.size()) + block;
  drop_joint(owner);
  sync_stacks(block);
  list_.clear();
  machine_.barriers().steps_of_block(now_.words, block, list_);
  if (list_.here != ending::none) return set_diverging(owner, true);
  for (const transition& t : list_.transitions) now_.joint.push_back({t.by, owner});
  check_wide_barriers();
}

/// Checks the blocks of the cluster of `block`: their lanes may wait for what has happened there.
void walker::check_halves(std::uint32_t block) {
  if (machine_.status(now_.words).halves.empty()) return;
  const std::uint32_t cluster = places_.shape.cluster;
  const std::uint32_t first = block / cluster * cluster;
  for (std::uint32_t b = first; b < first + cluster; ++b) {
    if (now_.waiting[b] != 0) check_barrier(b);
  }
}

// Lists the steps of barriers of clusters and of the grid.
void walker::check_wide_barriers() {
  drop_joint(wide_owner());
  list_.clear();
  machine_.barriers().wide_steps(now_.words, list_);
  if (list_.here != ending::none) return set_diverging(wide_owner(), true);
  for (const transition& t : list_.transitions) now_.joint.push_back({t.by, wide_owner()});
}

ending walker::barrier_step(const choice& by) {
  if (by.what == choice::kind::block && by.mask != 0) return wide_barrier_step(by);
  const std::uint32_t block =
      by.what == choice::kind::block ? by.unit : places_.warps[by.unit].block;
  sync_stacks(block);
  list_.clear();
  machine_.barriers().steps_of_block(now_.words, block, list_);
  const transition& t = find(list_, by);
  if (t.ends != ending::none) return t.ends;
  take_over(list_.state(t, now_.words.size()), block);
  check_halves(block);
  return ending::none;
}

ending walker::wide_barrier_step(const choice& by) {
  for (std::uint32_t b = 0; b < by.mask; ++b) sync_stacks(by.unit + b);
  drop_joint(wide_owner());
  list_.clear();
  machine_.barriers().wide_steps(now_.words, list_);
  const transition& t = find(list_, by);
  if (t.ends != ending::none) return t.ends;
  const auto next = list_.state(t, now_.words.size());
  const state_words all(next.begin(), next.end());
  const std::uint32_t threads = places_.shape.block_threads();
  state_words words = now_.words;  // the state, which changes block by block
  for (std::uint32_t b = by.unit; b < by.unit + by.mask; ++b) {
    const auto from = all.begin() + b * threads;
    std::copy(from, from + threads, words.begin() + b * threads);
    for (std::uint32_t w = b * places_.shape.warps();
         stacks_ && w < (b + 1) * places_.shape.warps(); ++w) {
      words[machine_.stack_word(w)] = all[machine_.stack_word(w)];
    }
    words[machine_.status_word()] = all[machine_.status_word()];
    take_over(words, b);
  }
  check_wide_barriers();  // before, some blocks were still where they had been
  return ending::none;
}

/// Takes over the state that the machine has made of a step of `block`.
void walker::take_over(state_view words, std::uint32_t block) {
  const grid_status before = machine_.status(now_.words);
  withdraw_block(block);
  const std::uint32_t threads = places_.shape.block_threads();
  for (std::uint32_t lane = block * threads; lane < (block + 1) * threads; ++lane) {
    if (words[lane] != exited || now_.words[lane] == exited) continue;
    now_.warps[places_.lanes[lane].warp].alive &= ~(1U << places_.lanes[lane].index);
    --now_.living;
    --now_.living_in[block];
  }
  now_.words.assign(words.begin(), words.end());
  load_block(block);
  load_started(before);
  now_.awaits_block = machine_.awaits_dispatch(now_.words);
  consider_launch();
}

// --- blocks that get a place ---

void walker::blocks(std::vector<std::uint32_t>& out) const {
  out.clear();
  if (!now_.awaits_block) return;
  const grid_status& status = machine_.status(now_.words);
  for (std::uint32_t b = 0; b < status.started.size(); ++b) {
    if (status.started[b] == 0) out.push_back(b);
  }
}

/// Dispatches blocks after one has ended.
void walker::dispatch() {
  const grid_status before = machine_.status(now_.words);
  machine_.dispatch(now_.words);
  load_started(before);
  now_.awaits_block = machine_.awaits_dispatch(now_.words);
}

void walker::dispatch_step(const choice& by) {
  list_.clear();
  machine_.dispatch_choices(now_.words, list_);
  const state_view next = list_.state(find(list_, by), now_.words.size());
  const grid_status before = machine_.status(now_.words);
  now_.words.assign(next.begin(), next.end());
  load_started(before);
  now_.awaits_block = machine_.awaits_dispatch(now_.words);
  consider_launch();
}

// --- launches ---

void walker::consider_launch() {
  if (now_.living != 0 || now_.awaits_block || is_complete()) return;
  const auto is_launch = [&](const joint_step& j) { return j.owner == launch_owner(); };
  if (std::ranges::any_of(now_.joint, is_launch)) return;
  const std::uint32_t launch = machine_.launch_of(now_.words) + 1;
  now_.joint.push_back({{choice::kind::launch, launch, 0}, launch_owner()});
}

// Starts the next launch, or ends the run. All lanes are new.
void walker::launch_step(const choice& by) {
  const state_words here = state();
  list_.clear();
  machine_.launch_step(here, list_);
  const state_view next = list_.state(find(list_, by), now_.words.size());
  now_.words.assign(next.begin(), next.end());
  const auto image = machine_.image(next);
  std::ranges::copy(image, now_.bytes.begin());
  ++changes_;
  load();
}

}  // namespace simt
