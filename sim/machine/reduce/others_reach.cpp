// Updates the counts of lanes for each cell when a lane moves.
#include "sim/machine/reduce/others_reach.hpp"

#include <algorithm>
#include <bit>

namespace simt {

void others_reach::begin_again() {
  version_ = reaches_.version();
  at_.assign(places_.lanes.size(), exited);
  const auto clear = [&](tally& one) { one.assign(footprints::uses.size() * reaches_.cells(), 0); };
  for (auto* const warps : {&warp_near_, &warp_far_, &warp_ever_}) {
    warps->resize(places_.warps.size());
    std::ranges::for_each(*warps, clear);
  }
  for (auto* const blocks : {&block_far_, &block_ever_}) {
    blocks->resize(places_.shape.blocks);
    std::ranges::for_each(*blocks, clear);
  }
  clear(ever_);
  unknown_.clear();
}

void others_reach::look_at(std::span<const continuation> lanes) {
  if (version_ != reaches_.version() || at_.empty()) begin_again();
  constexpr std::size_t piece = 64;
  for (std::size_t first = 0; first < at_.size(); first += piece) {
    const std::size_t last = std::min(first + piece, at_.size());
    if (std::equal(at_.data() + first, at_.data() + last, lanes.data() + first)) continue;
    for (std::size_t lane = first; lane < last; ++lane) {
      if (at_[lane] != lanes[lane]) move(static_cast<std::uint32_t>(lane), lanes[lane]);
    }
  }
}

void others_reach::move(std::uint32_t lane, continuation to) {
  const continuation from = at_[lane];
  const place& here = places_.lanes[lane];
  look_at_unknown(to);
  count(warp_near_[here.warp], from, to, horizon::warp);
  count(warp_far_[here.warp], from, to, horizon::block);
  count(block_far_[here.block], from, to, horizon::block);
  count(warp_ever_[here.warp], from, to, horizon::end);
  count(block_ever_[here.block], from, to, horizon::end);
  count(ever_, from, to, horizon::end);
  at_[lane] = to;
}

void others_reach::look_at_unknown(continuation c) {
  if (c == exited || reaches_.knows(c) || unknown_.contains(c)) return;
  unknown_.emplace(c, access_of_(c));
}

footprints::cell_range others_reach::cells_of_unknown(continuation c, footprints::use how) const {
  const auto own = unknown_.find(c);
  if (own == unknown_.end() || !own->second || own->second->how != how) return {};
  return reaches_.cells_of(own->second->offset, own->second->size);
}

bool others_reach::may(continuation c, footprints::use how, std::uint32_t cell,
                       horizon until) const {
  if (reaches_.knows(c)) return reaches_.may(c, how, {cell, cell + 1}, until);
  const footprints::cell_range own = cells_of_unknown(c, how);
  return cell >= own.first && cell < own.last;
}

/// Counts the access of `c`, if the footprints do not know `c`, so many times more.
void others_reach::count_unknown(tally& all, continuation c, std::uint32_t times) const {
  for (const footprints::use how : footprints::uses) {
    const footprints::cell_range own = cells_of_unknown(c, how);
    for (std::uint32_t cell = own.first; cell < own.last; ++cell) all[at(how, cell)] += times;
  }
}

void others_reach::count(tally& all, continuation from, continuation to, horizon until) const {
  count_unknown(all, from, -1U);
  count_unknown(all, to, 1U);
  for (const footprints::use how : footprints::uses) {
    const auto of = [&](continuation c) {  // a lane that has ended accesses nothing
      return c == exited ? std::span<const std::uint64_t>{} : reaches_.set_of(c, until, how);
    };
    const std::span<const std::uint64_t> had = of(from);
    const std::span<const std::uint64_t> has = of(to);
    std::uint32_t* const counts = all.data() + at(how, 0);
    for (std::size_t w = 0; w < std::max(had.size(), has.size()); ++w) {
      const std::uint64_t before = had.empty() ? 0 : had[w];
      const std::uint64_t after = has.empty() ? 0 : has[w];
      for (std::uint64_t changed = before ^ after; changed != 0; changed &= changed - 1) {
        const int bit = std::countr_zero(changed);
        counts[w * 64 + static_cast<std::size_t>(bit)] += (after >> bit & 1U) != 0 ? 1U : -1U;
      }
    }
  }
}

bool others_reach::in_warp(std::uint32_t lane, footprints::cell_range cells,
                           footprints::use_set how, horizon until) const {
  const std::uint32_t w = places_.lanes[lane].warp;
  const tally& warp = until == horizon::warp    ? warp_near_[w]
                      : until == horizon::block ? warp_far_[w]
                                                : warp_ever_[w];
  for (std::uint32_t cell = cells.first; cell < cells.last; ++cell) {
    for (const footprints::use one : footprints::uses) {
      if (!footprints::has(how, one)) continue;
      const bool own = may(at_[lane], one, cell, until);
      if (warp[at(one, cell)] > (own ? 1U : 0U)) return true;
    }
  }
  return false;
}

bool others_reach::has_more(const tally& all, const tally& some, footprints::cell_range cells,
                            footprints::use_set how) const {
  for (std::uint32_t cell = cells.first; cell < cells.last; ++cell) {
    for (const footprints::use one : footprints::uses) {
      if (footprints::has(how, one) && all[at(one, cell)] > some[at(one, cell)]) return true;
    }
  }
  return false;
}

bool others_reach::beyond_warp(std::uint32_t lane, footprints::cell_range cells,
                               footprints::use_set how, horizon until) const {
  const place& here = places_.lanes[lane];
  if (until == horizon::end) return has_more(ever_, warp_ever_[here.warp], cells, how);
  return has_more(block_far_[here.block], warp_far_[here.warp], cells, how) ||
         has_more(ever_, block_ever_[here.block], cells, how);
}

}  // namespace simt
