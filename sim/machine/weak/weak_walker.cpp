// Follows one execution by asking the machine for its steps. Axioms: none.
#include "sim/machine/weak/weak_walker.hpp"

#include <algorithm>
#include <stdexcept>

#include <xxhash.h>

namespace simt {

using kind = choice::kind;

weak_walker::weak_walker(simt::machine& of) : machine_(of) {
  if (of.is_symmetric()) throw std::logic_error("a walker follows machines without reductions");
  start_ = of.initial();
  restart();
}

void weak_walker::assign(state_view state) {
  words_.assign(state.begin(), state.end());
  ++run_;
  steps_ = changes_ = news_ = 0;
  was_forced_ = false;
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) is_new(words_[lane]);
  look();
}

std::optional<weak_walker::side_choice> weak_walker::sides() const {
  if (sides_.empty()) return std::nullopt;
  return side_choice{parted_, sides_};
}

std::uint32_t weak_walker::ready_in(std::uint32_t warp) const {
  const warp_place& w = machine_.places().warps[warp];
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (is_ready(w.first + i)) mask |= 1U << i;
  }
  return mask;
}

std::span<const choice> weak_walker::ways(std::uint32_t lane) {
  if (!lists_all_ && listed_ != lane) list_ways(lane);
  ways_.clear();
  for (const transition& t : list_.transitions) {
    if (t.by.what == kind::lane && t.by.unit == lane) ways_.push_back(t.by);
  }
  return ways_;
}

std::span<const choice> weak_walker::promises(std::uint32_t lane) const {
  const auto all = std::ranges::equal_range(promises_, lane, {}, &choice::unit);
  return {all.begin(), all.end()};
}

// --- what may happen ---

void weak_walker::look() {
  lists_all_ = false;
  listed_ = none;
  promises_.clear();
  if (machine_.has_promises(words_) || !machine_.single_steps(words_, ready_)) return list_all();
  joint_.clear();
  sides_.clear();
  blocks_.clear();
  diverges_ = false;
  is_ready_.assign(machine_.places().lanes.size(), 0);
  for (const std::uint32_t lane : ready_) is_ready_[lane] = 1;
}

void weak_walker::list_ways(std::uint32_t lane) {
  machine_.steps_of(words_, lane, list_);
  listed_ = lane;
}

void weak_walker::list_all() {
  if (lists_all_) return;
  machine_.steps(words_, list_);
  lists_all_ = true;
  ready_.clear();
  is_ready_.assign(machine_.places().lanes.size(), 0);
  joint_.clear();
  sides_.clear();
  blocks_.clear();
  promises_.clear();
  diverges_ = list_.here != ending::none;
  for (const transition& t : list_.transitions) {
    switch (t.by.what) {
      case kind::promise: promises_.push_back(t.by); [[fallthrough]];
      case kind::lane:
        if (is_ready_[t.by.unit] == 0) ready_.push_back(t.by.unit);
        is_ready_[t.by.unit] = 1;
        break;
      case kind::group:
      case kind::block:
      case kind::launch: add_joint(t.by); break;
      case kind::side:
        parted_ = t.by.unit;
        sides_.push_back(t.by.mask);
        break;
      case kind::dispatch: blocks_.push_back(t.by.unit); break;
    }
  }
  std::ranges::stable_sort(promises_, {}, &choice::unit);
  std::ranges::sort(ready_);
}

// Adds a joint step. The machine lists each set of lanes that one activemask may answer; here they
// are one step.
void weak_walker::add_joint(const choice& by) {
  const auto warps = static_cast<std::uint32_t>(machine_.places().warps.size());
  if (by.what == kind::block) return joint_.push_back({by, warps + by.unit});
  if (by.what == kind::launch) return joint_.push_back({by, warps});
  const std::uint32_t first = machine_.places().warps[by.unit].first;
  const auto waits_at = [&](std::uint32_t mask) {
    return machine_.waits_at(words_, first + static_cast<std::uint32_t>(std::countr_zero(mask)));
  };
  const operation op = waits_at(by.mask);
  const bool any_set = !machine_.has_stacks() && op.kind == operation_kind::collective &&
                       op.collective == detail::collective_kind::activemask;
  const auto same = std::ranges::find_if(joint_, [&](const joint_step& j) {
    return any_set && j.any_set && j.by.unit == by.unit && waits_at(j.by.mask).pc == op.pc;
  });
  if (same != joint_.end()) {
    same->by.mask |= by.mask;
  } else {
    joint_.push_back({by, by.unit, any_set});
  }
}

const transition* weak_walker::find(const choice& by) {
  if (by.what == kind::lane && by.unit < is_ready_.size() && is_ready(by.unit)) {
    if (!lists_all_ && listed_ != by.unit) list_ways(by.unit);
  } else {
    list_all();
  }
  return list_.find(by);
}

// --- what happens ---

bool weak_walker::is_new(continuation c) {
  if (c >= seen_.size()) seen_.resize(2 * std::size_t{c} + 64, 0);
  return std::exchange(seen_[c], run_) != run_;
}

ending weak_walker::perform(const choice& by) {
  const transition* const t = find(by);
  if (machine_.has_news()) return ending::none;
  if (t == nullptr) throw std::logic_error("a choice that cannot be made");
  if (by.is_step()) ++steps_;
  was_forced_ = by.what == kind::lane && ways(by.unit).size() == 1;
  if (t->ends != ending::none) return t->ends;
  const auto next = list_.state(*t, machine_.words());
  if (next[machine_.memory_word()] != words_[machine_.memory_word()]) {
    ++changes_;
    news_ = steps_;
  }
  if (next[machine_.status_word()] != words_[machine_.status_word()]) news_ = steps_;
  if (by.what == kind::group || by.what == kind::block) news_ = steps_;
  words_.assign(next.begin(), next.end());
  machine_.for_each_lane(by, words_, [&](std::uint32_t lane) {
    if (is_new(words_[lane])) news_ = steps_;
  });
  look();
  return ending::none;
}

std::uint64_t weak_walker::fingerprint(std::uint32_t unit) const {
  if (!machine_.has_stacks()) return words_[unit];
  const warp_place& w = machine_.places().warps[unit];
  return XXH3_64bits_withSeed(words_.data() + w.first, w.lanes * 4,
                              words_[machine_.stack_word(unit)]);
}

}  // namespace simt
