// Carries out collectives of a warp, and barriers: docs/model.md, "Reconvergence".
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sim/machine/machine.hpp"

#include "sim/lane/operation_table.hpp"

namespace simt {
using detail::collective_kind;

/// The lane that lane `own` of the warp reads from. `packed`: the mode in bits 0 to 7, the
/// distance, mask or index in bits 8 to 15, the width of a segment from bit 16 on. Returns `own` if
/// the source is outside the segment (CUDA C++ Programming Guide, warp shuffle functions).
std::uint32_t machine::shuffle_source(std::uint32_t own, std::uint32_t packed) {
  const auto mode = static_cast<detail::shfl_mode>(packed & 0xff);
  const std::uint32_t distance = packed >> 8 & 0xff;
  const std::uint32_t width = packed >> 16;
  const std::uint32_t first = own & ~(width - 1);
  switch (mode) {
    case detail::shfl_mode::index: return first | (distance & (width - 1));
    case detail::shfl_mode::up: return own - first >= distance ? own - distance : own;
    case detail::shfl_mode::down: return own + distance < first + width ? own + distance : own;
    case detail::shfl_mode::exclusive_or:
      return (own ^ distance) < first + width ? own ^ distance : own;
  }
  return own;
}

std::array<std::uint32_t, 32> machine::masks_of(state_view state, std::uint32_t warp,
                                                std::uint32_t lanes) const {
  const warp_place& w = places_.warps[warp];
  std::array<std::uint32_t, 32> masks{};
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    const operation& op = waits_at(state, w.first + i);
    const bool is_any = op.collective == collective_kind::activemask;
    masks[i] = is_any ? lanes : op.mask & w.full_mask();
  }
  return masks;
}

bool machine::collective_answers(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                 std::array<std::uint64_t, 32>& answers, std::string& why) const {
  answers.fill(0);
  // Under `stack`, several groups may carry out the collective together, each with its own mask.
  const std::array<std::uint32_t, 32> masks = masks_of(state, warp, lanes);
  for (std::uint32_t left = lanes; left != 0;) {
    std::uint32_t group = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
      if (in(left, i) && masks[i] == masks[std::countr_zero(left)]) group |= 1U << i;
    }
    if (!answers_in_group(state, warp, group, answers, why)) return false;
    left &= ~group;
  }
  return true;
}

bool machine::answers_in_group(state_view state, std::uint32_t warp, std::uint32_t lanes,
                               std::array<std::uint64_t, 32>& answers, std::string& why) const {
  const warp_place& w = places_.warps[warp];
  const auto value = [&](std::uint32_t i) { return waits_at(state, w.first + i).operand; };

  std::uint32_t votes = 0;
  bool all_equal = true;
  std::uint64_t first_value = 0;
  bool has_first = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    if (value(i) != 0) votes |= 1U << i;
    if (!has_first) first_value = value(i);
    has_first = true;
    all_equal = all_equal && value(i) == first_value;
  }
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    const operation& op = waits_at(state, w.first + i);
    switch (op.collective) {
      case collective_kind::syncwarp: break;
      case collective_kind::activemask: answers[i] = lanes; break;
      case collective_kind::ballot: answers[i] = votes; break;
      case collective_kind::any: answers[i] = votes != 0; break;
      case collective_kind::all: answers[i] = votes == lanes; break;
      case collective_kind::match_all:
        answers[i] = all_equal ? lanes | std::uint64_t{1} << 32 : 0;
        break;
      case collective_kind::match_any:
        for (std::uint32_t j = 0; j < w.lanes; ++j) {
          if (in(lanes, j) && value(j) == value(i)) answers[i] |= 1U << j;
        }
        break;
      case collective_kind::shfl: {
        const std::uint32_t source = shuffle_source(i, op.shfl);
        // The value of a lane that does not take part is undefined: divergence rule 3.
        if (!in(lanes, source)) {
          why = fmt::format(
              "{} reads from lane {} of its warp, which does not take part in the "
              "shuffle",
              lane_name(w.first + i, setup_.grid), source);
          return false;
        }
        answers[i] = value(source);
        break;
      }
      case collective_kind::reduce_add:
      case collective_kind::reduce_min_signed:
      case collective_kind::reduce_max_signed:
      case collective_kind::reduce_min_unsigned:
      case collective_kind::reduce_max_unsigned:
      case collective_kind::reduce_and:
      case collective_kind::reduce_or:
      case collective_kind::reduce_xor: {
        auto all = static_cast<std::uint32_t>(value(i));
        for (std::uint32_t j = 0; j < w.lanes; ++j) {
          if (j != i && in(lanes, j)) {
            all = reduced(op.collective, all, static_cast<std::uint32_t>(value(j)));
          }
        }
        answers[i] = all;
        break;
      }
    }
  }
  return true;
}

void machine::collective_step(state_view state, std::uint32_t warp, std::uint32_t lanes,
                              successor_list& out) {
  const warp_place& w = places_.warps[warp];
  const choice by{choice::kind::group, warp, lanes};
  std::array<std::uint64_t, 32> answers;
  if (!collective_answers(state, warp, lanes, answers, out.why)) {
    return emit_end(out, by, ending::barrier_divergence);
  }
  // Collects all answers first, because advancing may grow the tables of operations.
  std::vector<continuation> next(w.lanes);
  bool exits = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(lanes, i)) continue;
    next[i] = advance(w.first + i, state[w.first + i], answers[i]);
    exits = exits || next[i] == exited;
  }
  std::uint32_t memory = state[memory_word()];
  if (waits_at(state, w.first + static_cast<std::uint32_t>(std::countr_zero(lanes))).collective ==
      collective_kind::syncwarp) {
    memory = memory_->meet(memory, lanes_of(warp, lanes));
  }
  const auto words = out.add(by, state);
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (in(lanes, i)) words[w.first + i] = next[i];
  }
  words[memory_word()] = memory;
  if (has_stacks() || (exits && !all_resident_)) come_to_rest(words, w.block);
}

void machine::barrier_steps(state_view state, successor_list& out) {
  for (std::uint32_t b = 0; b < setup_.grid.blocks && out.here == ending::none; ++b) {
    if (is_resident(state, b)) barrier_steps_of_block(state, b, out);
  }
  if (out.here == ending::none) wide_barrier_steps(state, out);
}

// A cluster's barrier waits for the lanes that have not exited. A grid's barrier waits for all
// lanes, so an exited lane holds it up for ever: cooperative groups count arrivals.
void machine::wide_barrier_steps(state_view state, successor_list& out) {
  const grid_shape& grid = setup_.grid;
  const std::uint32_t threads = grid.block_threads();
  const auto pass = [&](std::uint32_t first, std::uint32_t blocks, barrier_part part) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t lane = first * threads; lane < (first + blocks) * threads; ++lane) {
      if (grid.is_agent(places_.lanes[lane].warp)) continue;
      if (state[lane] == exited && part == barrier_part::cluster) continue;
      if (state[lane] == exited) return;
      // Once some lane calls the two halves, all lanes pass as if they did: half_steps().
      const std::vector<std::uint8_t>& halves = status(state).halves;
      if (part == barrier_part::cluster && !halves.empty() && halves[lane] != 0) return;
      const operation& op = waits_at(state, lane);
      if (op.kind != operation_kind::barrier || op.barrier != part) return;
      lanes.push_back(lane);
    }
    if (lanes.empty()) return;
    if (part == barrier_part::grid && !grid.cooperative) {
      return end_here(
          out,
          "the lanes wait at a grid_sync, but the launch is not cooperative: it promises "
          "nobody that all blocks are there (\"cooperative = true\" below [grid])");
    }
    std::vector<continuation> next;  // before out.add, since advancing may grow the tables
    for (const std::uint32_t lane : lanes) next.push_back(advance(lane, state[lane], 0));
    const std::uint32_t memory = state[memory_word()];
    const std::uint32_t after = memory_->meet(memory, lanes);
    const auto words = out.add({choice::kind::block, first, blocks}, state);
    for (std::size_t i = 0; i < lanes.size(); ++i) words[lanes[i]] = next[i];
    words[memory_word()] = after;
    for (std::uint32_t b = first; b < first + blocks; ++b) come_to_rest(words, b);
  };
  for (std::uint32_t b = 0; b < grid.blocks && out.here == ending::none; b += grid.cluster) {
    if (is_resident(state, b)) pass(b, grid.cluster, barrier_part::cluster);
  }
  if (out.here == ending::none) pass(0, grid.blocks, barrier_part::grid);
}

// Lanes of a warp that stand at one half take that half together. If one of them took it later,
// that lane would merely go on later. An arrival holds no lane up, and a lane that may pass may
// still do so later.
void machine::half_steps(state_view state, std::uint32_t block, successor_list& out) {
  const grid_shape& grid = setup_.grid;
  const std::vector<std::uint8_t>& halves = status(state).halves;
  for (std::uint32_t warp = block * grid.warps(); warp < (block + 1) * grid.warps(); ++warp) {
    const warp_place& w = places_.warps[warp];
    std::uint32_t arriving = 0, waiting = 0;
    // In lockstep, no lane goes ahead of other active lanes.
    const std::uint32_t here = has_stacks() ? front(state, warp) : w.full_mask();
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const std::uint32_t lane = w.first + i;
      if (!in(here, i)) continue;
      const operation& op = waits_at(state, lane);
      if (state[lane] == exited || op.kind != operation_kind::barrier) continue;
      const bool has_arrived = !halves.empty() && halves[lane] != grid_status::no_half;
      if (op.barrier == barrier_part::cluster_arrive && has_arrived) {
        return end_here(out, fmt::format("{} arrives at its cluster's barrier for the second time "
                                         "without having waited",
                                         lane_name(lane, grid)));
      }
      if (op.barrier == barrier_part::cluster_wait && !has_arrived) {
        return end_here(out, fmt::format("{} waits at its cluster's barrier without having arrived",
                                         lane_name(lane, grid)));
      }
      if (op.barrier == barrier_part::cluster_arrive) arriving |= 1U << i;
      // A lane that calls both halves at once also waits here, where other lanes call them one by
      // one.
      if (is_half(op.barrier) ? op.barrier == barrier_part::cluster_wait
                              : op.barrier == barrier_part::cluster && !halves.empty()) {
        waiting |= 1U << i;
      }
    }
    // With .aligned, all lanes of the warp call the same barrier.
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const operation& op = waits_at(state, w.first + i);
      if (!in(arriving, i) && !(in(waiting, i) && is_half(op.barrier))) continue;
      if ((op.mask & detail::barrier_unaligned) != 0) continue;
      for (std::uint32_t other = 0; other < w.lanes; ++other) {
        const continuation c = state[w.first + other];
        if (c == exited || traits(c).what != operation_traits::kind::barrier ||
            stores_.program.at(c).pc == op.pc) {
          continue;
        }
        return end_here(
            out, fmt::format("{} and {}, lanes of one warp, wait at different barriers",
                             lane_name(w.first + i, grid), lane_name(w.first + other, grid)));
      }
    }
    if (arriving != 0) arrive_in_cluster(state, warp, arriving, out);
    if (waiting == 0) continue;
    if (are_all_in(state, block / grid.cluster)) {
      pass_in_cluster(state, warp, waiting, out);
      continue;
    }
    std::uint32_t passing = 0;  // lanes of an earlier round
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (in(waiting, i) && halves[w.first + i] == grid_status::may_pass) passing |= 1U << i;
    }
    if (passing != 0) pass_in_cluster(state, warp, passing, out);
  }
}

// Whether all lanes of the cluster that have not exited have arrived, at least one of them by a
// half.
bool machine::are_all_in(state_view state, std::uint32_t cluster) const {
  const std::vector<std::uint8_t>& halves = status(state).halves;
  if (halves.empty()) return false;
  const std::uint32_t threads = setup_.grid.cluster * setup_.grid.block_threads();
  bool any = false;
  for (std::uint32_t lane = cluster * threads; lane < (cluster + 1) * threads; ++lane) {
    if (state[lane] == exited || setup_.grid.is_agent(places_.lanes[lane].warp)) continue;
    if (halves[lane] == grid_status::has_arrived) {
      any = true;
      continue;
    }
    const operation& op = waits_at(state, lane);
    if (halves[lane] == grid_status::may_pass || op.kind != operation_kind::barrier ||
        op.barrier != barrier_part::cluster) {
      return false;
    }
  }
  return any;
}

namespace {

/// The name of a round of a cluster's barrier for memory. Named barriers have lower numbers.
std::uint32_t round_name(const grid_shape& grid, std::uint32_t cluster, std::uint32_t parity) {
  return 16 * grid.blocks + 2 * cluster + parity;
}

}  // namespace

void machine::arrive_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                successor_list& out) {
  const warp_place& w = places_.warps[warp];
  const grid_shape& grid = setup_.grid;
  const std::uint32_t cluster = w.block / grid.cluster;
  grid_status status = this->status(state);
  if (status.halves.empty()) status.halves.assign(grid.threads() + grid.blocks / grid.cluster, 0);
  std::vector<std::uint32_t> telling;
  std::vector<std::pair<std::uint32_t, continuation>> moved;
  for (const std::uint32_t lane : lanes_of(warp, lanes)) {
    status.halves[lane] = grid_status::has_arrived;
    if ((waits_at(state, lane).mask & detail::barrier_relaxed) == 0) telling.push_back(lane);
    moved.emplace_back(lane, advance(lane, state[lane], 0));
  }
  const std::uint32_t name = round_name(grid, cluster, status.halves[grid.threads() + cluster]);
  const std::uint32_t memory =
      telling.empty() ? state[memory_word()]
                      : memory_->arrive(state[memory_word()], {telling, name, false, {}});
  const std::uint32_t number = intern_status(status);
  const auto words = out.add({choice::kind::group, warp, lanes}, state);
  for (const auto& [lane, next] : moved) words[lane] = next;
  words[status_word()] = number;
  words[memory_word()] = memory;
  come_to_rest(words, w.block);
}

// The first lanes that pass start the next round: all other lanes of this round may pass from now
// on.
void machine::pass_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                              successor_list& out) {
  const warp_place& w = places_.warps[warp];
  const grid_shape& grid = setup_.grid;
  const std::uint32_t cluster = w.block / grid.cluster;
  const std::uint32_t threads = grid.cluster * grid.block_threads();
  grid_status status = this->status(state);
  std::uint8_t& parity = status.halves[grid.threads() + cluster];
  std::uint32_t memory = state[memory_word()];
  if (are_all_in(state, cluster)) {
    std::vector<std::uint32_t> telling;  // lanes that call both halves at once
    for (std::uint32_t lane = cluster * threads; lane < (cluster + 1) * threads; ++lane) {
      if (state[lane] == exited || grid.is_agent(places_.lanes[lane].warp)) {
        status.halves[lane] = grid_status::no_half;
        continue;
      }
      if (status.halves[lane] == grid_status::no_half) telling.push_back(lane);
      status.halves[lane] = grid_status::may_pass;
    }
    if (!telling.empty()) {
      memory = memory_->arrive(memory, {telling, round_name(grid, cluster, parity), false, {}});
    }
    parity ^= 1;
    // All lanes have passed the round before, so the next round starts with no arrivals.
    memory = memory_->arrive(memory, {{}, round_name(grid, cluster, parity), true, {}});
  }
  const std::vector<std::uint32_t> passing = lanes_of(warp, lanes);
  memory = memory_->pass(memory, round_name(grid, cluster, parity ^ 1U), passing);
  std::vector<std::pair<std::uint32_t, continuation>> moved;
  for (const std::uint32_t lane : passing) {
    status.halves[lane] = grid_status::no_half;
    moved.emplace_back(lane, advance(lane, state[lane], 0));
  }
  if (std::ranges::all_of(status.halves, [](std::uint8_t h) { return h == 0; })) {
    status.halves.clear();
  }
  const std::uint32_t number = intern_status(status);
  const auto words = out.add({choice::kind::group, warp, lanes}, state);
  for (const auto& [lane, next] : moved) words[lane] = next;
  words[status_word()] = number;
  words[memory_word()] = memory;
  come_to_rest(words, w.block);
}

machine::barrier_votes machine::votes_at_barrier(state_view state, const operation& op,
                                                 const choice& by) const {
  barrier_votes votes;
  const bool is_joint_step = by.what == choice::kind::block;
  const std::uint32_t block = is_joint_step ? by.unit : places_.warps[by.unit].block;
  if (!is_joint_step) {
    std::uint32_t expected = op.count, arrived = 1;
    for (const grid_status::barrier& b : status(state).barriers) {
      if (b.block != block || b.id != op.number) continue;
      expected = b.expected;
      arrived += b.arrived;
    }
    votes.completes = arrived >= expected;
  }
  if ((op.mask & detail::barrier_reduces) == 0 || !votes.completes) return votes;
  const std::uint32_t threads = setup_.grid.block_threads();
  for (std::uint32_t lane = block * threads; lane < (block + 1) * threads; ++lane) {
    if (state[lane] == exited || setup_.grid.is_agent(places_.lanes[lane].warp)) continue;
    const operation& its = waits_at(state, lane);
    const bool is_there =
        is_joint_step || (its.kind == operation_kind::barrier && its.number == op.number &&
                          (its.barrier == barrier_part::wait ||
                           (its.barrier == barrier_part::arrive && its.compare != 0 &&
                            places_.lanes[lane].warp == by.unit)));
    if (!is_there) continue;
    ++votes.all;
    if (its.operand != 0) ++votes.yes;
  }
  return votes;
}

std::uint64_t machine::barrier_answer(const operation& op, const barrier_votes& votes) {
  const std::uint64_t result = detail::barrier_result(op.mask, votes.yes, votes.all);
  if (op.barrier != barrier_part::arrive) return result;
  return votes.completes ? 1 | result << 1 : 0;
}

namespace {

/// Why warps may not use a barrier at once by calls with the reductions `a` and `b` (PTX ISA, bar).
std::string mixed_reductions(std::uint32_t number, std::uint32_t a, std::uint32_t b) {
  return fmt::format("barrier {} is used with {} at the same time", number,
                     a != 0 && b != 0 ? "two different reductions" : "a reduction and without one");
}

}  // namespace

void machine::barrier_steps_of_block(state_view state, std::uint32_t block, successor_list& out) {
  const grid_shape& grid = setup_.grid;
  half_steps(state, block, out);
  if (out.here != ending::none) return;
  // The halves of a cluster's barrier do not affect other barriers.
  const auto at_barrier = [&](std::uint32_t lane) -> const operation* {
    const operation& op = waits_at(state, lane);
    return state[lane] != exited && op.kind == operation_kind::barrier && !is_half(op.barrier)
               ? &op
               : nullptr;
  };

  const auto different = [&](std::uint32_t a, std::uint32_t b) {
    return fmt::format("{} and {}, lanes of one warp, wait at different barriers",
                       lane_name(a, grid), lane_name(b, grid));
  };

  bool all_wait = true;  // every lane that has not exited is at a barrier
  bool any_alive = false;
  bool all_the_same = true;  // all of them are at one barrier
  bool all_syncthreads = true;
  std::optional<std::uint32_t> other_reduction;  // of some warp, where warps differ
  const operation* one = nullptr;
  std::vector<std::uint32_t> arriving;  // warps
  std::uint32_t at_whole = 0;           // barriers where a warp waits for the block
  for (std::uint32_t warp = block * grid.warps(); warp < (block + 1) * grid.warps(); ++warp) {
    if (grid.is_agent(warp)) continue;
    const warp_place& w = places_.warps[warp];
    const operation* first = nullptr;
    std::uint32_t first_lane = 0;
    bool warp_waits = true;
    for (std::uint32_t lane = w.first; lane < w.first + w.lanes; ++lane) {
      if (state[lane] == exited) continue;
      any_alive = true;
      const operation* op = at_barrier(lane);
      if (op == nullptr) {
        warp_waits = false;
        continue;
      }
      // Rule 4. A cluster's barrier counts lanes, wherever they stand.
      const bool is_anywhere =
          op->barrier == barrier_part::cluster || (op->mask & detail::barrier_unaligned) != 0;
      if (first != nullptr && !(op->pc == first->pc || is_anywhere)) {
        return end_here(out, different(first_lane, lane));
      }
      if (first != nullptr && (op->number != first->number || op->count != first->count ||
                               op->barrier != first->barrier || op->mask != first->mask ||
                               op->compare != first->compare)) {
        return end_here(out, different(first_lane, lane));
      }
      if (first == nullptr) first_lane = lane;
      first = op;
    }
    all_wait = all_wait && warp_waits;
    if (first == nullptr) continue;
    // Under `stack`: the active lanes stand at a barrier while others of their warp are parked.
    if (has_stacks()) {
      const std::uint32_t active = stack(state, warp).active & alive(state, warp);
      bool active_wait = true;
      for (std::uint32_t i = 0; i < w.lanes; ++i) {
        if (in(active, i)) active_wait = active_wait && at_barrier(w.first + i) != nullptr;
      }
      if (active_wait && active != alive(state, warp)) {
        return end_here(out,
                        fmt::format("{} waits at a block barrier while other lanes of its warp "
                                    "are not active and cannot arrive",
                                    lane_name(first_lane, grid)));
      }
    }
    const bool joint = is_joint(first->barrier);
    if (one != nullptr && (joint != is_joint(one->barrier) || one->number != first->number ||
                           (joint && one->barrier != first->barrier))) {
      all_the_same = false;
    }
    if (one != nullptr && ((first->mask ^ one->mask) & detail::barrier_reduces) != 0) {
      other_reduction = one->mask & detail::barrier_reduces;
    }
    all_syncthreads = all_syncthreads && first->barrier == barrier_part::syncthreads &&
                      (one == nullptr || first->number == one->number);
    one = first;
    if (!warp_waits) continue;
    if (first->barrier == barrier_part::arrive) arriving.push_back(warp);
    if (first->barrier == barrier_part::syncthreads) at_whole |= 1U << first->number;
  }
  if (one == nullptr) return;
  // Rule 7.
  for (const grid_status::barrier& b : status(state).barriers) {
    if (b.block != block || !in(at_whole, b.id)) continue;
    return end_here(out, fmt::format("barrier {} is used with a number of threads, {}, and without "
                                     "one at the same time",
                                     b.id, b.expected * 32));
  }

  for (const std::uint32_t warp : arriving) {
    const warp_place& w = places_.warps[warp];
    const std::uint32_t lanes = alive(state, warp);
    std::uint32_t first = w.first;
    while (state[first] == exited) ++first;
    const operation op = waits_at(state, first);
    const std::uint32_t reduces = op.mask & detail::barrier_reduces;
    grid_status status = this->status(state);
    auto at = std::ranges::find_if(
        status.barriers, [&](const auto& b) { return b.block == block && b.id == op.number; });
    if (at == status.barriers.end()) {
      at = status.barriers.insert(at, {block, op.number, op.count, 0, reduces});
    } else if (at->expected != op.count || at->reduces != reduces) {  // rule 6
      out.why = at->expected != op.count
                    ? fmt::format("barrier {} is used for {} warps and for {} at the same time",
                                  op.number, at->expected, op.count)
                    : mixed_reductions(op.number, at->reduces, reduces);
      emit_end(out, {choice::kind::group, warp, lanes}, ending::barrier_divergence);
      continue;
    }
    const choice by{choice::kind::group, warp, lanes};
    const barrier_votes votes = votes_at_barrier(state, op, by);
    const bool completes = votes.completes;
    ++at->arrived;
    if (completes) status.barriers.erase(at);
    std::ranges::sort(status.barriers);

    std::vector<std::pair<std::uint32_t, continuation>> moved;
    std::vector<std::uint32_t> behind;  // lanes that go on behind all arrivals
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (in(lanes, i)) {
        const std::uint32_t lane = w.first + i;
        const std::uint64_t told = barrier_answer(waits_at(state, lane), votes);
        moved.emplace_back(lane, advance(lane, state[lane], told));
        if (completes && op.compare != 0) behind.push_back(lane);
      }
    }
    for (std::uint32_t lane = 0; completes && lane < places_.lanes.size(); ++lane) {
      if (places_.lanes[lane].block != block || state[lane] == exited) continue;
      const operation& waiting = waits_at(state, lane);
      if (waiting.kind == operation_kind::barrier && waiting.barrier == barrier_part::wait &&
          waiting.number == op.number) {
        moved.emplace_back(lane, advance(lane, state[lane], barrier_answer(waiting, votes)));
        behind.push_back(lane);
      }
    }
    const std::uint32_t number = intern_status(status);
    const std::vector<std::uint32_t> arrived = lanes_of(warp, lanes);
    const std::uint32_t memory =
        memory_->arrive(state[memory_word()], {arrived, 16 * block + op.number, completes, behind});
    const auto words = out.add(by, state);
    for (const auto& [lane, next] : moved) words[lane] = next;
    words[status_word()] = number;
    words[memory_word()] = memory;
    come_to_rest(words, block);
  }

  if (!all_wait || !any_alive) return;
  if (all_syncthreads && other_reduction) {  // rule 6
    end_here(out,
             mixed_reductions(one->number, one->mask & detail::barrier_reduces, *other_reduction));
  } else if (all_syncthreads) {
    const choice by{choice::kind::block, block, 0};
    const barrier_votes votes = votes_at_barrier(state, *one, by);
    std::vector<std::pair<std::uint32_t, continuation>> moved;
    for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
      const place& at = places_.lanes[lane];
      if (at.block == block && state[lane] != exited && !grid.is_agent(at.warp)) {
        const std::uint64_t told = barrier_answer(waits_at(state, lane), votes);
        moved.emplace_back(lane, advance(lane, state[lane], told));
      }
    }
    std::vector<std::uint32_t> all;
    for (const auto& [lane, next] : moved) all.push_back(lane);
    const std::uint32_t memory = memory_->meet(state[memory_word()], all);
    const auto words = out.add(by, state);
    for (const auto& [lane, next] : moved) words[lane] = next;
    words[memory_word()] = memory;
    come_to_rest(words, block);
  } else if (arriving.empty() && !all_the_same) {  // rule 5
    end_here(out, fmt::format("the lanes of block {} wait at different barriers, and none of these "
                              "can be completed",
                              block));
  }
}

}  // namespace simt
