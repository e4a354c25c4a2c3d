// Keeps track of which lanes, warps and blocks may trade places, and sorts states accordingly.
#include "sim/machine/reduce/symmetry.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace simt {
namespace {

/// Finds for each element the next lower one with the same key, and lists of at least two elements
/// with one key.
template <class Keys>
void link(const Keys& keys, std::vector<std::uint32_t>& before,
          std::vector<std::vector<std::uint32_t>>& alike, std::uint32_t none) {
  std::map<typename Keys::value_type, std::vector<std::uint32_t>> lists;
  before.assign(keys.size(), none);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    auto& list = lists[keys[i]];
    if (!list.empty()) before[i] = list.back();
    list.push_back(i);
  }
  alike.clear();
  for (auto& [key, list] : lists) {
    if (list.size() > 1) alike.push_back(std::move(list));
  }
}

}  // namespace

symmetry::symmetry(const grid_places& places, bool on, warp_stacks* stacks)
    : places_(places), on_(on), stacks_(stacks), role_(places.lanes.size(), 0) {
  keep_warps_ = stacks != nullptr;
  arrange();
}

bool symmetry::keep_warps() {
  if (!on_ || keep_warps_) return false;
  keep_warps_ = true;
  arrange();
  return true;
}

bool symmetry::fix_lanes() {
  const bool news = keep_warps();
  if (!on_ || fix_lanes_) return news;
  fix_lanes_ = true;
  arrange();
  return true;
}

bool symmetry::fix_blocks() {
  const bool news = keep_warps();
  if (!on_ || fix_blocks_) return news;
  fix_blocks_ = true;
  arrange();
  return true;
}

bool symmetry::fix_all() {
  if (!on_) return false;
  on_ = false;
  arrange();
  return true;
}

bool symmetry::tell_apart(std::span<const std::uint32_t> kinds) {
  if (!on_) return false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> refined(role_.size());
  for (std::size_t i = 0; i < role_.size(); ++i) {
    refined[i] = numbers.try_emplace({role_[i], kinds[i]}, numbers.size()).first->second;
  }
  const auto roles = *std::ranges::max_element(role_);
  if (numbers.size() == roles + 1) return false;
  role_ = std::move(refined);
  arrange();
  return true;
}

void symmetry::list_units(std::vector<std::vector<std::uint32_t>>& units,
                          std::vector<std::vector<std::uint32_t>>& lists) const {
  units.clear();
  lists.clear();
  if (!on_) return;
  const auto lanes_of = [](std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
  };
  const auto some_warp = [&](auto f) { return std::ranges::any_of(places_.warps, f); };
  if (!keep_warps_ || (!fix_lanes_ && some_warp([](const warp_place& w) { return w.lanes > 1; }))) {
    for (std::uint32_t l = 0; l < places_.lanes.size(); ++l) units.push_back({l});
    if (!keep_warps_) {
      lists.push_back(lanes_of(0, static_cast<std::uint32_t>(units.size())));
    } else {
      for (const warp_place& w : places_.warps) lists.push_back(lanes_of(w.first, w.lanes));
    }
    return;
  }
  const std::uint32_t warps = places_.shape.warps();
  if (warps > 1) {
    for (const warp_place& w : places_.warps) units.push_back(lanes_of(w.first, w.lanes));
    for (std::uint32_t b = 0; b < places_.shape.blocks; ++b) {
      // Warps that are neighbours and have equally many lanes.
      for (std::uint32_t i = 0; i < warps; ++i) {
        const std::uint32_t w = b * warps + i;
        if (i == 0 || places_.warps[w].lanes != places_.warps[w - 1].lanes) lists.emplace_back();
        lists.back().push_back(w);
      }
    }
  } else if (!fix_blocks_) {
    for (std::uint32_t b = 0; b < places_.shape.blocks; ++b) {
      units.push_back(lanes_of(b * places_.shape.block_threads(), places_.shape.block_threads()));
    }
    lists.push_back(lanes_of(0, places_.shape.blocks));
  }
}

bool symmetry::learn_from(const symmetry& other) {
  if (!other.on_) return fix_all();
  if (!on_) return false;
  bool news = other.keep_warps_ && keep_warps();
  news = (other.fix_lanes_ && fix_lanes()) || news;
  news = (other.fix_blocks_ && fix_blocks()) || news;
  return tell_apart(other.role_) || news;
}

void symmetry::arrange() {
  const std::size_t lanes = places_.lanes.size();
  const std::size_t warps = places_.warps.size();
  before_.assign(lanes, none);
  before_warp_.assign(warps, none);
  before_block_.assign(places_.shape.blocks, none);
  alike_lanes_.clear();
  alike_warps_.clear();
  alike_blocks_.clear();
  first_of_warp_.assign(warps + 1, 0);
  if (!on_) return;
  if (!keep_warps_) return link(role_, before_, alike_lanes_, none);

  if (!fix_lanes_) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys(lanes);
    for (std::size_t i = 0; i < lanes; ++i) keys[i] = {places_.lanes[i].warp, role_[i]};
    link(keys, before_, alike_lanes_, none);  // the lists come in the order of warps
    std::size_t at = 0;
    for (std::uint32_t w = 0; w < warps; ++w) {
      first_of_warp_[w] = static_cast<std::uint32_t>(at);
      while (at < alike_lanes_.size() && places_.lanes[alike_lanes_[at].front()].warp == w) ++at;
    }
    first_of_warp_[warps] = static_cast<std::uint32_t>(at);
  }
  std::vector<std::vector<std::uint32_t>> warp_keys(warps);  // block, roles
  std::vector<std::vector<std::uint32_t>> block_keys(places_.shape.blocks);
  for (std::uint32_t w = 0; w < warps; ++w) {
    const warp_place& at = places_.warps[w];
    const auto roles = std::span(role_).subspan(at.first, at.lanes);
    warp_keys[w].push_back(at.block);
    warp_keys[w].insert(warp_keys[w].end(), roles.begin(), roles.end());
    auto& block = block_keys[at.block];
    if (fix_blocks_ && block.empty()) block.push_back(at.block);
    block.insert(block.end(), roles.begin(), roles.end());
  }
  link(warp_keys, before_warp_, alike_warps_, none);
  link(block_keys, before_block_, alike_blocks_, none);
}

// --- sorting ---

void symmetry::sort_lanes(std::span<std::uint32_t> words, std::span<const std::uint32_t> lanes,
                          std::vector<std::uint32_t>* moved) const {
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    const std::uint32_t value = words[lanes[i]];
    if (words[lanes[i - 1]] <= value) continue;
    const std::uint32_t who = moved != nullptr ? (*moved)[lanes[i]] : 0;
    std::size_t at = i;
    for (; at > 0 && words[lanes[at - 1]] > value; --at) {
      words[lanes[at]] = words[lanes[at - 1]];
      if (moved != nullptr) (*moved)[lanes[at]] = (*moved)[lanes[at - 1]];
    }
    words[lanes[at]] = value;
    if (moved != nullptr) (*moved)[lanes[at]] = who;
  }
}

// A lane's position in its warp's stack: active, arrived at a frame, or pending in a frame. The
// pending side needs no number, because lanes of different sides wait at different branches.
const std::vector<std::uint16_t>& symmetry::positions(std::uint32_t stack) {
  if (stack >= positions_.size()) positions_.resize(stack + 1);
  auto& known = positions_[stack];
  if (known.empty()) {
    known.assign(32, 0);
    const warp_stack& s = (*stacks_)[stack];
    std::uint16_t number = 1;
    const auto put = [&](std::uint32_t mask) {
      for (std::uint32_t i = 0; i < 32; ++i) {
        if (in(mask, i)) known[i] = number;
      }
      ++number;
    };
    put(s.active);
    for (const warp_frame& f : s.frames) {
      put(f.arrived);
      put(std::accumulate(f.pending.begin(), f.pending.end(), 0U, std::bit_or<>()));
    }
  }
  return known;
}

void symmetry::sort_warp(std::span<std::uint32_t> words, std::uint32_t warp,
                         std::vector<std::uint32_t>* moved) {
  const std::span lists(alike_lanes_.data() + first_of_warp_[warp],
                        first_of_warp_[warp + 1] - first_of_warp_[warp]);
  if (stacks_ == nullptr) {
    for (const auto& list : lists) sort_lanes(words, list, moved);
    return;
  }
  const warp_place& place = places_.warps[warp];
  std::uint32_t& stack = words[stack_word(warp)];
  const std::vector<std::uint16_t>& position = positions(stack);
  std::uint32_t from[32];  // from[i]: the lane that comes to place i
  for (std::uint32_t i = 0; i < 32; ++i) from[i] = i;
  const auto key = [&](std::uint32_t i) {
    return std::uint64_t{position[i]} << 32 | words[place.first + i];
  };
  bool any = false;
  for (const auto& list : lists) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      const std::uint32_t who = from[list[i] - place.first];
      std::size_t at = i;
      for (; at > 0 && key(from[list[at - 1] - place.first]) > key(who); --at) {
        from[list[at] - place.first] = from[list[at - 1] - place.first];
        any = true;
      }
      from[list[at] - place.first] = who;
    }
  }
  if (!any) return;
  std::uint32_t lanes[32];
  std::uint32_t who[32];
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    lanes[i] = words[place.first + from[i]];
    if (moved != nullptr) who[i] = (*moved)[place.first + from[i]];
  }
  const auto move = [&](std::uint32_t mask) {
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < place.lanes; ++i) {
      if (in(mask, from[i])) result |= 1U << i;
    }
    return result;
  };
  warp_stack s = (*stacks_)[stack];
  s.active = move(s.active);
  for (warp_frame& f : s.frames) {
    f.arrived = move(f.arrived);
    for (std::uint32_t& side : f.pending) side = move(side);
    std::ranges::sort(f.pending);
  }
  stack = stacks_->intern(s);
  for (std::uint32_t i = 0; i < place.lanes; ++i) {
    words[place.first + i] = lanes[i];
    if (moved != nullptr) (*moved)[place.first + i] = who[i];
  }
}

int symmetry::compare_warps(std::span<const std::uint32_t> words, std::uint32_t a,
                            std::uint32_t b) const {
  const warp_place& wa = places_.warps[a];
  const warp_place& wb = places_.warps[b];
  for (std::uint32_t i = 0; i < wa.lanes; ++i) {
    const std::uint32_t x = words[wa.first + i];
    const std::uint32_t y = words[wb.first + i];
    if (x != y) return x < y ? -1 : 1;
  }
  if (stacks_ == nullptr) return 0;
  const std::uint32_t x = words[stack_word(a)];
  const std::uint32_t y = words[stack_word(b)];
  return x == y ? 0 : x < y ? -1 : 1;
}

int symmetry::compare_blocks(std::span<const std::uint32_t> words, std::uint32_t a,
                             std::uint32_t b) const {
  const std::uint32_t warps = places_.shape.warps();
  for (std::uint32_t w = 0; w < warps; ++w) {
    const int order = compare_warps(words, a * warps + w, b * warps + w);
    if (order != 0) return order;
  }
  return 0;
}

void symmetry::swap_warps(std::span<std::uint32_t> words, std::uint32_t a, std::uint32_t b,
                          std::vector<std::uint32_t>* moved) const {
  const warp_place& wa = places_.warps[a];
  const warp_place& wb = places_.warps[b];
  for (std::uint32_t i = 0; i < wa.lanes; ++i) {
    std::swap(words[wa.first + i], words[wb.first + i]);
    if (moved != nullptr) std::swap((*moved)[wa.first + i], (*moved)[wb.first + i]);
  }
  if (stacks_ != nullptr) std::swap(words[stack_word(a)], words[stack_word(b)]);
}

void symmetry::swap_blocks(std::span<std::uint32_t> words, std::uint32_t a, std::uint32_t b,
                           std::vector<std::uint32_t>* moved) const {
  const std::uint32_t warps = places_.shape.warps();
  for (std::uint32_t w = 0; w < warps; ++w) swap_warps(words, a * warps + w, b * warps + w, moved);
}

void symmetry::canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved) {
  if (moved != nullptr) {
    moved->resize(places_.lanes.size());
    std::iota(moved->begin(), moved->end(), 0U);
  }
  if (!on_) return;
  if (!keep_warps_) {
    for (const auto& list : alike_lanes_) sort_lanes(words, list, moved);
    return;
  }
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    if (first_of_warp_[w] != first_of_warp_[w + 1]) sort_warp(words, w, moved);
  }
  for (const auto& list : alike_warps_) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      for (std::size_t at = i; at > 0 && compare_warps(words, list[at - 1], list[at]) > 0; --at) {
        swap_warps(words, list[at - 1], list[at], moved);
      }
    }
  }
  for (const auto& list : alike_blocks_) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      for (std::size_t at = i; at > 0 && compare_blocks(words, list[at - 1], list[at]) > 0; --at) {
        swap_blocks(words, list[at - 1], list[at], moved);
      }
    }
  }
}

// --- what looks the same ---

bool symmetry::repeats_warp(std::span<const std::uint32_t> words, std::uint32_t warp) const {
  if (!on_ || !keep_warps_) return false;
  if (const std::uint32_t before = before_warp_[warp];
      before != none && compare_warps(words, before, warp) == 0) {
    return true;
  }
  const std::uint32_t block = places_.warps[warp].block;
  const std::uint32_t before = before_block_[block];
  return before != none && compare_blocks(words, before, block) == 0;
}

void symmetry::orbits(std::span<const std::uint32_t> words,
                      std::vector<std::uint32_t>& first) const {
  const bool of_warps = stacks_ != nullptr;
  first.resize(of_warps ? places_.warps.size() : places_.lanes.size());
  std::iota(first.begin(), first.end(), 0U);
  if (!on_) return;
  const auto first_lane = [&](std::uint32_t lane) {
    while (repeats(words, lane)) lane = before_[lane];
    return lane;
  };
  if (!keep_warps_) {
    for (std::uint32_t lane = 0; lane < first.size(); ++lane) {
      if (repeats(words, lane)) first[lane] = first[before_[lane]];
    }
    return;
  }
  const std::uint32_t warps = places_.shape.warps();
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    std::uint32_t block = places_.warps[w].block;
    while (before_block_[block] != none &&
           compare_blocks(words, before_block_[block], block) == 0) {
      block = before_block_[block];
    }
    std::uint32_t as = block * warps + w % warps;
    while (before_warp_[as] != none && compare_warps(words, before_warp_[as], as) == 0) {
      as = before_warp_[as];
    }
    if (of_warps) {
      first[w] = as;
      continue;
    }
    const warp_place& here = places_.warps[w];
    const warp_place& there = places_.warps[as];
    for (std::uint32_t i = 0; i < here.lanes; ++i) {
      first[here.first + i] = first_lane(there.first + i);
    }
  }
}

}  // namespace simt
