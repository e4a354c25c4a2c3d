// Carries out barriers of a block, of a cluster and of the grid: docs/model.md, "Barriers".
#include "sim/machine/groups/barriers.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/lane/operation_table.hpp"
#include "sim/machine/machine.hpp"

namespace simt {

void grid_barriers::steps(state_view state, successor_list& out) {
  for (std::uint32_t b = 0; b < machine_.setup().grid.blocks && out.here == ending::none; ++b) {
    if (machine_.is_resident(state, b)) steps_of_block(state, b, out);
  }
  if (out.here == ending::none) wide_steps(state, out);
}

// A cluster's barrier waits for the lanes that have not exited. A grid's barrier waits for all
// lanes, so an exited lane holds it up for ever: cooperative groups count arrivals.
void grid_barriers::wide_steps(state_view state, successor_list& out) {
  const grid_shape& grid = machine_.setup().grid;
  const std::uint32_t threads = grid.block_threads();
  const auto pass = [&](std::uint32_t first, std::uint32_t blocks, barrier_part part) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t lane = first * threads; lane < (first + blocks) * threads; ++lane) {
      if (grid.is_agent(machine_.places().lanes[lane].warp)) continue;
      if (state[lane] == exited && part == barrier_part::cluster) continue;
      if (state[lane] == exited) return;
      // Once some lane calls the two halves, all lanes pass as if they did: half_steps().
      const std::vector<std::uint8_t>& halves = machine_.status(state).halves;
      if (part == barrier_part::cluster && !halves.empty() && halves[lane] != 0) return;
      const operation& op = machine_.waits_at(state, lane);
      if (op.kind != operation_kind::barrier || op.barrier != part) return;
      lanes.push_back(lane);
    }
    if (lanes.empty()) return;
    if (part == barrier_part::grid && !grid.cooperative) {
      return out.end_here(
          "the lanes wait at a grid_sync, but the launch is not cooperative: it promises "
          "nobody that all blocks are there (\"cooperative = true\" below [grid])");
    }
    std::vector<continuation> next;  // before out.add, since advancing may grow the tables
    for (const std::uint32_t lane : lanes)
      next.push_back(machine_.lanes().advance(lane, state[lane], 0));
    const std::uint32_t memory = state[machine_.memory_word()];
    const std::uint32_t after = machine_.model().meet(memory, lanes);
    const auto words = out.add({choice::kind::block, first, blocks}, state);
    for (std::size_t i = 0; i < lanes.size(); ++i) words[lanes[i]] = next[i];
    words[machine_.memory_word()] = after;
    for (std::uint32_t b = first; b < first + blocks; ++b) machine_.come_to_rest(words, b);
  };
  for (std::uint32_t b = 0; b < grid.blocks && out.here == ending::none; b += grid.cluster) {
    if (machine_.is_resident(state, b)) pass(b, grid.cluster, barrier_part::cluster);
  }
  if (out.here == ending::none) pass(0, grid.blocks, barrier_part::grid);
}

// Lanes of a warp that stand at one half take that half together. If one of them took it later,
// that lane would merely go on later. An arrival holds no lane up, and a lane that may pass may
// still do so later.
void grid_barriers::half_steps(state_view state, std::uint32_t block, successor_list& out) {
  const grid_shape& grid = machine_.setup().grid;
  const std::vector<std::uint8_t>& halves = machine_.status(state).halves;
  for (std::uint32_t warp = block * grid.warps(); warp < (block + 1) * grid.warps(); ++warp) {
    const warp_place& w = machine_.places().warps[warp];
    std::uint32_t arriving = 0, waiting = 0;
    // In lockstep, no lane goes ahead of other active lanes.
    const std::uint32_t here = machine_.has_stacks() ? machine_.front(state, warp) : w.full_mask();
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const std::uint32_t lane = w.first + i;
      if (!in(here, i)) continue;
      const operation& op = machine_.waits_at(state, lane);
      if (state[lane] == exited || op.kind != operation_kind::barrier) continue;
      const bool has_arrived = !halves.empty() && halves[lane] != grid_status::no_half;
      if (op.barrier == barrier_part::cluster_arrive && has_arrived) {
        return out.end_here(
            fmt::format("{} arrives at its cluster's barrier for the second time "
                        "without having waited",
                        lane_name(lane, grid)));
      }
      if (op.barrier == barrier_part::cluster_wait && !has_arrived) {
        return out.end_here(fmt::format("{} waits at its cluster's barrier without having arrived",
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
      const operation& op = machine_.waits_at(state, w.first + i);
      if (!in(arriving, i) && !(in(waiting, i) && is_half(op.barrier))) continue;
      if ((op.mask & detail::barrier_unaligned) != 0) continue;
      for (std::uint32_t other = 0; other < w.lanes; ++other) {
        const continuation c = state[w.first + other];
        if (c == exited || machine_.lanes().traits(c).what != operation_traits::kind::barrier ||
            machine_.program().at(c).pc == op.pc) {
          continue;
        }
        return out.end_here(fmt::format("{} and {}, lanes of one warp, wait at different barriers",
                                        lane_name(w.first + i, grid),
                                        lane_name(w.first + other, grid)));
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
bool grid_barriers::are_all_in(state_view state, std::uint32_t cluster) const {
  const std::vector<std::uint8_t>& halves = machine_.status(state).halves;
  if (halves.empty()) return false;
  const std::uint32_t threads =
      machine_.setup().grid.cluster * machine_.setup().grid.block_threads();
  bool any = false;
  for (std::uint32_t lane = cluster * threads; lane < (cluster + 1) * threads; ++lane) {
    if (state[lane] == exited || machine_.setup().grid.is_agent(machine_.places().lanes[lane].warp))
      continue;
    if (halves[lane] == grid_status::has_arrived) {
      any = true;
      continue;
    }
    const operation& op = machine_.waits_at(state, lane);
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

/// The name under which lanes tell their own block alone of what is before their arrival.
std::uint32_t round_in_block(const grid_shape& grid, std::uint32_t block, std::uint32_t parity) {
  return 18 * grid.blocks + 2 * block + parity;
}

}  // namespace

void grid_barriers::arrive_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                      successor_list& out) {
  const warp_place& w = machine_.places().warps[warp];
  const grid_shape& grid = machine_.setup().grid;
  const std::uint32_t cluster = w.block / grid.cluster;
  grid_status status = machine_.status(state);
  if (status.halves.empty()) status.halves.assign(grid.threads() + grid.blocks / grid.cluster, 0);
  std::vector<std::uint32_t> telling, relaxed, telling_inits;
  std::vector<std::pair<std::uint32_t, continuation>> moved;
  for (const std::uint32_t lane : machine_.lanes_of(warp, lanes)) {
    status.halves[lane] = grid_status::has_arrived;
    const std::uint32_t how = machine_.waits_at(state, lane).mask;
    if ((how & detail::barrier_relaxed) == 0) {
      telling.push_back(lane);
    } else {
      relaxed.push_back(lane);
      if ((how & detail::barrier_tells_inits) != 0) telling_inits.push_back(lane);
    }
    moved.emplace_back(lane, machine_.lanes().advance(lane, state[lane], 0));
  }
  const std::uint8_t parity = status.halves[grid.threads() + cluster];
  const std::uint32_t name = round_name(grid, cluster, parity);
  std::uint32_t memory = state[machine_.memory_word()];
  if (!telling.empty()) memory = machine_.model().arrive(memory, {telling, name, false, {}});
  if (!relaxed.empty()) {
    memory = machine_.model().arrive_relaxed(memory, {relaxed, name, false, {}},
                                             round_in_block(grid, w.block, parity));
  }
  if (!telling_inits.empty()) {
    memory = machine_.model().tell_inits(memory, {telling_inits, name, false, {}},
                                         *machine_.setup().memory);
  }
  const std::uint32_t number = machine_.stores().statuses.intern(status);
  const auto words = out.add({choice::kind::group, warp, lanes}, state);
  for (const auto& [lane, next] : moved) words[lane] = next;
  words[machine_.status_word()] = number;
  words[machine_.memory_word()] = memory;
  machine_.come_to_rest(words, w.block);
}

// The first lanes that pass start the next round: all other lanes of this round may pass from now
// on.
void grid_barriers::pass_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                    successor_list& out) {
  const warp_place& w = machine_.places().warps[warp];
  const grid_shape& grid = machine_.setup().grid;
  const std::uint32_t cluster = w.block / grid.cluster;
  const std::uint32_t threads = grid.cluster * grid.block_threads();
  grid_status status = machine_.status(state);
  std::uint8_t& parity = status.halves[grid.threads() + cluster];
  std::uint32_t memory = state[machine_.memory_word()];
  if (are_all_in(state, cluster)) {
    std::vector<std::uint32_t> telling;  // lanes that call both halves at once
    for (std::uint32_t lane = cluster * threads; lane < (cluster + 1) * threads; ++lane) {
      if (state[lane] == exited || grid.is_agent(machine_.places().lanes[lane].warp)) {
        status.halves[lane] = grid_status::no_half;
        continue;
      }
      if (status.halves[lane] == grid_status::no_half) telling.push_back(lane);
      status.halves[lane] = grid_status::may_pass;
    }
    if (!telling.empty()) {
      memory =
          machine_.model().arrive(memory, {telling, round_name(grid, cluster, parity), false, {}});
    }
    parity ^= 1;
    // All lanes have passed the round before, so the next round starts with no arrivals.
    memory = machine_.model().arrive(memory, {{}, round_name(grid, cluster, parity), true, {}});
    for (std::uint32_t b = cluster * grid.cluster; b < (cluster + 1) * grid.cluster; ++b) {
      memory = machine_.model().arrive(memory, {{}, round_in_block(grid, b, parity), true, {}});
    }
  }
  const std::vector<std::uint32_t> passing = machine_.lanes_of(warp, lanes);
  memory = machine_.model().pass(memory, round_name(grid, cluster, parity ^ 1U), passing);
  memory = machine_.model().pass(memory, round_in_block(grid, w.block, parity ^ 1U), passing);
  std::vector<std::pair<std::uint32_t, continuation>> moved;
  for (const std::uint32_t lane : passing) {
    status.halves[lane] = grid_status::no_half;
    moved.emplace_back(lane, machine_.lanes().advance(lane, state[lane], 0));
  }
  if (std::ranges::all_of(status.halves, [](std::uint8_t h) { return h == 0; })) {
    status.halves.clear();
  }
  const std::uint32_t number = machine_.stores().statuses.intern(status);
  const auto words = out.add({choice::kind::group, warp, lanes}, state);
  for (const auto& [lane, next] : moved) words[lane] = next;
  words[machine_.status_word()] = number;
  words[machine_.memory_word()] = memory;
  machine_.come_to_rest(words, w.block);
}

grid_barriers::vote_count grid_barriers::votes_at(state_view state, const operation& op,
                                                  const choice& by) const {
  vote_count votes;
  const bool is_joint_step = by.what == choice::kind::block;
  const std::uint32_t block = is_joint_step ? by.unit : machine_.places().warps[by.unit].block;
  if (!is_joint_step) {
    std::uint32_t expected = op.count, arrived = 1;
    for (const grid_status::barrier& b : machine_.status(state).barriers) {
      if (b.block != block || b.id != op.number) continue;
      expected = b.expected;
      arrived += b.arrived;
    }
    votes.completes = arrived >= expected;
  }
  if ((op.mask & detail::barrier_reduces) == 0 || !votes.completes) return votes;
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  for (std::uint32_t lane = block * threads; lane < (block + 1) * threads; ++lane) {
    if (state[lane] == exited || machine_.setup().grid.is_agent(machine_.places().lanes[lane].warp))
      continue;
    const operation& its = machine_.waits_at(state, lane);
    const bool is_there =
        is_joint_step || (its.kind == operation_kind::barrier && its.number == op.number &&
                          (its.barrier == barrier_part::wait ||
                           (its.barrier == barrier_part::arrive && its.compare != 0 &&
                            machine_.places().lanes[lane].warp == by.unit)));
    if (!is_there) continue;
    ++votes.all;
    if (its.operand != 0) ++votes.yes;
  }
  return votes;
}

std::uint64_t grid_barriers::answer(const operation& op, const vote_count& votes) {
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

void grid_barriers::steps_of_block(state_view state, std::uint32_t block, successor_list& out) {
  const grid_shape& grid = machine_.setup().grid;
  half_steps(state, block, out);
  if (out.here != ending::none) return;
  // The halves of a cluster's barrier do not affect other barriers.
  const auto at_barrier = [&](std::uint32_t lane) -> const operation* {
    const operation& op = machine_.waits_at(state, lane);
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
  std::vector<std::uint32_t> arriving;     // warps
  std::uint32_t at_whole = 0;              // barriers where a warp waits for the block
  std::array<std::uint32_t, 16> counts{};  // with which a warp stands at each barrier, to arrive
  for (std::uint32_t warp = block * grid.warps(); warp < (block + 1) * grid.warps(); ++warp) {
    if (grid.is_agent(warp)) continue;
    const warp_place& w = machine_.places().warps[warp];
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
        return out.end_here(different(first_lane, lane));
      }
      if (first != nullptr && (op->number != first->number || op->count != first->count ||
                               op->barrier != first->barrier || op->mask != first->mask ||
                               op->compare != first->compare)) {
        return out.end_here(different(first_lane, lane));
      }
      if (first == nullptr) first_lane = lane;
      first = op;
    }
    all_wait = all_wait && warp_waits;
    if (first == nullptr) continue;
    // Under `stack`: the active lanes stand at a barrier while others of their warp are parked.
    if (machine_.has_stacks()) {
      const std::uint32_t active = machine_.stack(state, warp).active & machine_.alive(state, warp);
      bool active_wait = true;
      for (std::uint32_t i = 0; i < w.lanes; ++i) {
        if (in(active, i)) active_wait = active_wait && at_barrier(w.first + i) != nullptr;
      }
      if (active_wait && active != machine_.alive(state, warp)) {
        return out.end_here(
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
    if (first->barrier == barrier_part::arrive) {
      arriving.push_back(warp);
      counts[first->number] = first->count;
    }
    if (first->barrier == barrier_part::syncthreads) at_whole |= 1U << first->number;
  }
  if (one == nullptr) return;
  // Rule 7. A warp that waits for the block has arrived, so an arrival with a count comes too late
  // even if it would be the last one.
  for (const grid_status::barrier& b : machine_.status(state).barriers) {
    if (b.block == block) counts[b.id] = b.expected;
  }
  for (std::uint32_t id = 0; id < counts.size(); ++id) {
    if (counts[id] == 0 || !in(at_whole, id)) continue;
    return out.end_here(
        fmt::format("barrier {} is used with a number of threads, {}, and without "
                    "one at the same time",
                    id, counts[id] * 32));
  }

  for (const std::uint32_t warp : arriving) {
    const warp_place& w = machine_.places().warps[warp];
    const std::uint32_t lanes = machine_.alive(state, warp);
    std::uint32_t first = w.first;
    while (state[first] == exited) ++first;
    const operation op = machine_.waits_at(state, first);
    const std::uint32_t reduces = op.mask & detail::barrier_reduces;
    grid_status status = machine_.status(state);
    auto at = std::ranges::find_if(
        status.barriers, [&](const auto& b) { return b.block == block && b.id == op.number; });
    if (at == status.barriers.end()) {
      at = status.barriers.insert(at, {block, op.number, op.count, 0, reduces});
    } else if (at->expected != op.count || at->reduces != reduces) {  // rule 6
      out.why = at->expected != op.count
                    ? fmt::format("barrier {} is used for {} warps and for {} at the same time",
                                  op.number, at->expected, op.count)
                    : mixed_reductions(op.number, at->reduces, reduces);
      out.end_by({choice::kind::group, warp, lanes}, ending::barrier_divergence);
      continue;
    }
    const choice by{choice::kind::group, warp, lanes};
    const vote_count votes = votes_at(state, op, by);
    const bool completes = votes.completes;
    ++at->arrived;
    if (completes) status.barriers.erase(at);
    std::ranges::sort(status.barriers);

    std::vector<std::pair<std::uint32_t, continuation>> moved;
    std::vector<std::uint32_t> behind;  // lanes that go on behind all arrivals
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (in(lanes, i)) {
        const std::uint32_t lane = w.first + i;
        const std::uint64_t told = answer(machine_.waits_at(state, lane), votes);
        moved.emplace_back(lane, machine_.lanes().advance(lane, state[lane], told));
        if (completes && op.compare != 0) behind.push_back(lane);
      }
    }
    for (std::uint32_t lane = 0; completes && lane < machine_.places().lanes.size(); ++lane) {
      if (machine_.places().lanes[lane].block != block || state[lane] == exited) continue;
      const operation& waiting = machine_.waits_at(state, lane);
      if (waiting.kind == operation_kind::barrier && waiting.barrier == barrier_part::wait &&
          waiting.number == op.number) {
        moved.emplace_back(lane,
                           machine_.lanes().advance(lane, state[lane], answer(waiting, votes)));
        behind.push_back(lane);
      }
    }
    const std::uint32_t number = machine_.stores().statuses.intern(status);
    const std::vector<std::uint32_t> arrived = machine_.lanes_of(warp, lanes);
    const std::uint32_t memory = machine_.model().arrive(
        state[machine_.memory_word()], {arrived, 16 * block + op.number, completes, behind});
    const auto words = out.add(by, state);
    for (const auto& [lane, next] : moved) words[lane] = next;
    words[machine_.status_word()] = number;
    words[machine_.memory_word()] = memory;
    machine_.come_to_rest(words, block);
  }

  if (!all_wait || !any_alive) return;
  if (all_syncthreads && other_reduction) {  // rule 6
    out.end_here(
        mixed_reductions(one->number, one->mask & detail::barrier_reduces, *other_reduction));
  } else if (all_syncthreads) {
    const choice by{choice::kind::block, block, 0};
    const vote_count votes = votes_at(state, *one, by);
    std::vector<std::pair<std::uint32_t, continuation>> moved;
    for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
      const place& at = machine_.places().lanes[lane];
      if (at.block == block && state[lane] != exited && !grid.is_agent(at.warp)) {
        const std::uint64_t told = answer(machine_.waits_at(state, lane), votes);
        moved.emplace_back(lane, machine_.lanes().advance(lane, state[lane], told));
      }
    }
    std::vector<std::uint32_t> all;
    for (const auto& [lane, next] : moved) all.push_back(lane);
    const std::uint32_t memory = machine_.model().meet(state[machine_.memory_word()], all);
    const auto words = out.add(by, state);
    for (const auto& [lane, next] : moved) words[lane] = next;
    words[machine_.memory_word()] = memory;
    machine_.come_to_rest(words, block);
  } else if (arriving.empty() && !all_the_same) {  // rule 5
    out.end_here(
        fmt::format("the lanes of block {} wait at different barriers, and none of these "
                    "can be completed",
                    block));
  }
}

}  // namespace simt
