// Draws the next lane or message by the bias of the run, and keeps the priorities of PCT.
#include "checker/search/schedule.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>

namespace warpcheck {
namespace {

constexpr std::uint32_t no_rank = 0xffffffff;
// So few ready lanes are looked through one by one.
constexpr std::size_t few_ready = 32;
// Draws of slow lanes in a row, after which one of them steps all the same.
constexpr int most_draws = 8;

std::uint64_t bit_of(std::uint32_t rank) { return std::uint64_t{1} << rank % 64; }

}  // namespace

template <class Walk>
void schedule<Walk>::begin(const run_plan& plan, std::uint64_t seed, const Walk& walk) {
  plan_ = plan;
  random_ = random_source(seed);
  current_ = nobody;
  moves_ = 0;
  const simt::grid_places& places = walk.follows().places();
  const auto lanes = static_cast<std::uint32_t>(places.lanes.size());
  if (plan.slow != slow_units::none) {
    slow_.assign(lanes, 0);
    for (const simt::warp_place& w : places.warps) {
      bool slow = random_.below(plan.slow_share) == 0;
      for (std::uint32_t i = 0; i < w.lanes; ++i) {
        if (plan.slow == slow_units::lanes) slow = random_.below(plan.slow_share) == 0;
        slow_[w.first + i] = slow ? 1 : 0;
      }
    }
  }
  if (plan.how != bias::priorities) return;
  const std::uint32_t ranks = lanes + plan.depth - 1;
  lane_of_.resize(ranks);
  rank_of_.resize(lanes);
  for (std::uint32_t i = 0; i < lanes; ++i) {  // Fisher and Yates, inside out
    const std::uint32_t j = random_.below(i + 1);
    lane_of_[i] = lane_of_[j];
    lane_of_[j] = i;
  }
  present_.assign(ranks / 64 + 1, 0);
  for (std::uint32_t r = 0; r < lanes; ++r) {
    rank_of_[lane_of_[r]] = r;
    if (walk.at(lane_of_[r]) != simt::exited) present_[r / 64] |= bit_of(r);
  }
  awake_ = present_;
  changes_.clear();
  for (std::uint32_t rank = lanes; rank < ranks; ++rank) {
    changes_.push_back({1 + random_.below_large(plan.length), rank});
  }
  std::ranges::stable_sort(changes_, std::greater(), &change::event);
  memory_ = walk.changes();
  stalled_ = false;
  turn_ = 0;
  marks_.assign(lanes, {});
}

template <class Walk>
std::uint32_t schedule<Walk>::any_of(const Walk& walk, std::uint32_t lanes) {
  for (auto skip = random_.below(static_cast<std::uint32_t>(std::popcount(lanes))); skip > 0;
       --skip)
    lanes &= lanes - 1;
  return walk.follows().places().warps[current_].first +
         static_cast<std::uint32_t>(std::countr_zero(lanes));
}

// Returns `lane`, which was drawn. If it is slow, most often returns another one.
template <class Walk>
std::uint32_t schedule<Walk>::spare_slow(std::uint32_t lane, std::span<const std::uint32_t> ready) {
  for (int draws = 1; draws < most_draws && slow_[lane] != 0; ++draws) {
    if ((random_.next() >> 32 & (plan_.slowness - 1)) == 0) break;
    lane = ready[random_.below(static_cast<std::uint32_t>(ready.size()))];
  }
  return lane;
}

template <class Walk>
simt::choice schedule<Walk>::settle(const Walk& walk) {
  using kind = simt::choice::kind;
  std::vector<simt::choice> all;
  std::vector<std::uint32_t> blocks;
  walk.blocks(blocks);
  for (const std::uint32_t b : blocks) all.push_back({kind::dispatch, b, 0});
  if (blocks.empty()) {
    const auto next = walk.sides();
    for (const std::uint32_t side : next->sides) all.push_back({kind::side, next->warp, side});
  }
  if (plan_.how == bias::priorities) {
    const auto order = [&](const simt::choice& c) { return rank(walk, c); };
    simt::choice first = *std::ranges::min_element(all, {}, order);
    while (rank(walk, first) != no_rank && is_lowered(lane_of_[rank(walk, first)], walk)) {
      first = *std::ranges::min_element(all, {}, order);
    }
    ++moves_;
    return first;
  }
  ++moves_;
  if (plan_.sides != side_order::any && blocks.empty()) {
    const auto [low, high] = std::ranges::minmax_element(
        all, {}, [](const simt::choice& c) { return std::countr_zero(c.mask); });
    return plan_.sides == side_order::lowest_lane_first ? *low : *high;
  }
  return all[random_.below(static_cast<std::uint32_t>(all.size()))];
}

template <class Walk>
simt::choice schedule<Walk>::together(const typename Walk::joint_step& step) {
  simt::choice by = step.by;
  if (step.any_set && (random_.next() >> 63) != 0) {
    const auto some = by.mask & static_cast<std::uint32_t>(random_.next() >> 32);
    if (some != 0) by.mask = some;
  }
  return by;
}

template <class Walk>
simt::choice schedule<Walk>::next(const Walk& walk) {
  const auto joint = walk.joint();
  const auto ready = static_cast<std::uint32_t>(walk.ready().size());
  if (!joint.empty()) {
    if (plan_.how == bias::priorities) {
      for (;;) {
        const auto first =
            std::ranges::min_element(joint, {}, [&](const auto& j) { return rank(walk, j.by); });
        const std::uint32_t best = rank(walk, first->by);
        const std::uint32_t alone = ready == 0 ? nobody : highest(walk);
        if (alone != nobody && rank_of_[alone] < best) break;
        if (best == no_rank || !is_lowered(lane_of_[best], walk)) return together(*first);
      }
    } else {
      const std::uint32_t which = random_.below(ready + static_cast<std::uint32_t>(joint.size()));
      if (which >= ready) return together(joint[which - ready]);
    }
  }
  return {simt::choice::kind::lane, lane(walk), 0};
}

template <class Walk>
simt::choice schedule<Walk>::way_of(std::uint32_t lane, Walk& walk) {
  if constexpr (std::is_same_v<Walk, simt::weak_walker>) {
    const auto any = [this](std::span<const simt::choice> all) {
      return all[all.size() == 1 ? 0 : random_.below(static_cast<std::uint32_t>(all.size()))];
    };
    const std::span<const simt::choice> promises = walk.promises(lane);
    const std::span<const simt::choice> ways = walk.ways(lane);
    if (ways.empty() && promises.empty()) return {simt::choice::kind::lane, nobody, 0};
    if (!promises.empty() && (ways.empty() || random_.below(2) == 0)) {
      if (plan_.how == bias::priorities) put_last(lane);
      return any(promises);
    }
    if (!ways.empty() && ways.front().is_at_choose()) return any(ways);
    const bool by_habit = plan_.messages != message_choice::any && random_.below(8) != 0;
    if (by_habit) return plan_.messages == message_choice::newest ? ways.front() : ways.back();
    return any(ways);
  } else {
    const std::uint32_t values = walk.values_to_choose(lane);
    return {simt::choice::kind::lane, lane,
            values == 0 ? 0 : simt::choice::chooses | random_.below(values)};
  }
}

// Returns the highest rank of the lanes that take part.
template <class Walk>
std::uint32_t schedule<Walk>::rank(const Walk& walk, const simt::choice& by) const {
  using kind = simt::choice::kind;
  std::uint32_t best = no_rank;
  const simt::grid_places& places = walk.follows().places();
  const auto consider = [&](std::uint32_t lane) {
    if (walk.at(lane) != simt::exited) best = std::min(best, rank_of_[lane]);
  };
  if (by.what == kind::launch) return no_rank;  // no lane can do anything else
  if (by.what == kind::block || by.what == kind::dispatch) {
    const std::uint32_t threads = places.shape.block_threads();
    const std::uint32_t blocks = std::max(by.mask, 1U);
    for (std::uint32_t l = by.unit * threads; l < (by.unit + blocks) * threads; ++l) consider(l);
  } else {
    const simt::warp_place& w = places.warps[by.unit];
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (simt::in(by.mask, i)) consider(w.first + i);
    }
  }
  return best;
}

template <class Walk>
std::uint32_t schedule<Walk>::highest(const Walk& walk) {
  if (memory_ != walk.changes()) {  // lanes that spun may go on now
    awake_ = present_;
    memory_ = walk.changes();
    stalled_ = false;
  }
  if (walk.ready().size() <= few_ready) {
    std::uint32_t best = no_rank;
    for (const std::uint32_t lane : walk.ready()) {
      const std::uint32_t r = rank_of_[lane];
      if (r < best && (awake_[r / 64] & bit_of(r)) != 0) best = r;
    }
    return best == no_rank ? nobody : lane_of_[best];
  }
  for (std::size_t w = 0; w < awake_.size(); ++w) {
    for (std::uint64_t left = awake_[w]; left != 0; left &= left - 1) {
      const auto r =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t lane = lane_of_[r];
      if (walk.is_ready(lane)) return lane;
      if (walk.at(lane) != simt::exited) continue;
      present_[w] &= ~bit_of(r);
      awake_[w] &= ~bit_of(r);
    }
  }
  return nobody;
}

template <class Walk>
std::uint32_t schedule<Walk>::by_priority(const Walk& walk) {
  std::uint32_t lane = highest(walk);
  while (lane != nobody && is_lowered(lane, walk)) lane = highest(walk);
  if (lane != nobody) return lane;
  if (!stalled_) {
    stalled_ = true;
    return nobody;
  }
  return least_recent(walk);
}

// All ready lanes spin, so they take turns. In lockstep, other lanes of a warp may wait for them.
template <class Walk>
std::uint32_t schedule<Walk>::least_recent(const Walk& walk) const {
  return *std::ranges::min_element(walk.ready(), {},
                                   [&](std::uint32_t lane) { return marks_[lane].last_turn; });
}

// `lane` is about to act. If a change of its priority is due first, makes it and returns true.
template <class Walk>
bool schedule<Walk>::is_lowered(std::uint32_t lane, const Walk& walk) {
  if (changes_.empty() || events(walk) + 1 < changes_.back().event) return false;
  lower(lane, changes_.back().rank);
  changes_.pop_back();
  return true;
}

template <class Walk>
void schedule<Walk>::lower(std::uint32_t lane, std::uint32_t to) {
  const std::uint32_t from = rank_of_[lane];
  present_[from / 64] &= ~bit_of(from);
  awake_[from / 64] &= ~bit_of(from);
  present_[to / 64] |= bit_of(to);
  awake_[to / 64] |= bit_of(to);
  lane_of_[to] = lane;
  rank_of_[lane] = to;
}

// A promised store is carried out later. So the lane changes places with the lowest one.
template <class Walk>
void schedule<Walk>::put_last(std::uint32_t lane) {
  const std::uint32_t lowest = *std::ranges::max_element(rank_of_);
  const std::uint32_t other = lane_of_[lowest];
  std::swap(lane_of_[rank_of_[lane]], lane_of_[lowest]);
  std::swap(rank_of_[lane], rank_of_[other]);
  for (const std::uint32_t r : {rank_of_[lane], rank_of_[other]}) present_[r / 64] |= bit_of(r);
  awake_ = present_;
}

// Notices that a lane comes back to a place with memory unchanged. It will do that again and again,
// until another lane changes memory.
template <class Walk>
void schedule<Walk>::notice(std::uint32_t lane, const Walk& walk) {
  mark& m = marks_[lane];
  m.last_turn = ++turn_;
  const simt::continuation at = walk.at(lane);
  if (m.memory != walk.changes()) {
    m.at = at;
    m.memory = walk.changes();
    m.steps = 0;
    m.power = 1;
  } else if (m.at == at) {
    if constexpr (std::is_same_v<Walk, simt::weak_walker>) {
      if (!walk.was_forced()) return;  // it might have read something else
    }
    awake_[rank_of_[lane] / 64] &= ~bit_of(rank_of_[lane]);
  } else if (++m.steps == m.power) {
    m.at = at;
    m.steps = 0;
    m.power *= 2;
  }
}

template class schedule<simt::walker>;
template class schedule<simt::weak_walker>;

}  // namespace warpcheck
