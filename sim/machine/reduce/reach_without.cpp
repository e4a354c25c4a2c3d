// Which accesses other lanes can come to while one lane does not move: a fixpoint over
// continuations and values.
#include "sim/machine/reduce/reach_without.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "sim/machine/machine.hpp"

namespace simt {
namespace {

// Bound on answers and continuations of one question: more would cost more than it saves.
constexpr std::uint32_t work_limit = 4'096;
// Values of one place that are told apart.
constexpr std::size_t value_limit = 256;

bool overlap(std::uint32_t a, std::uint32_t size_a, std::uint32_t b, std::uint32_t size_b) {
  return a < b + size_b && b < a + size_a;
}

}  // namespace

bool reach_without::leaves_alone(std::span<const std::uint32_t> state, std::uint32_t lane,
                                 bool only_beyond_warp) {
  state_ = state;
  lane_ = lane;
  only_beyond_warp_ = only_beyond_warp;
  const std::lock_guard lock(machine_.stores().lanes_lock);
  lane_automaton& program = machine_.program();
  const operation& op = program.at(state[lane]);
  if (!program.is_worth(op)) return false;
  if (const std::optional<bool> known = known_answer()) {
    program.account_for(op, 1, *known);
    return *known;
  }
  begin();
  // (First come, first visited: a conflict is mostly near.)
  for (std::size_t next = 0; next < open_.size() && !is_over_; ++next) {
    const std::uint32_t n = open_[next];
    nodes_[n].queued = false;
    visit(n);
  }
  remember();
  program.account_for(op, work_, !is_over_);
  if (is_over_) return false;
  for (const auto& [c, value] : never_) program.assume_never(c, value);
  for (const continuation c : no_other_) program.assume_no_other(c);
  return true;
}

// A lane that ran ahead has changed nothing that others may access (otherwise its step would not
// have run ahead). So the accesses of others stay the same for its next steps.
std::optional<bool> reach_without::known_answer() {
  if (lane_ >= shown_.size()) return std::nullopt;
  const shown& last = shown_[lane_];
  const std::size_t lanes = machine_.places().lanes.size();
  if (last.lanes.empty()) return std::nullopt;
  const bool is_same_question =
      last.at == state_[lane_] && last.only_beyond_warp == only_beyond_warp_;
  if (!last.is_complete && !is_same_question) return std::nullopt;
  if (!std::equal(last.lanes.begin(), last.lanes.begin() + lane_, state_.begin()) ||
      !std::equal(last.lanes.begin() + lane_ + 1, last.lanes.begin() + lanes,
                  state_.begin() + lane_ + 1)) {
    return std::nullopt;
  }
  for (const shown::start& one : last.starts) {
    list_values(one.offset, one.size, values_);
    if (values_ != one.values) return std::nullopt;
  }
  if (!last.is_complete) return false;
  return std::ranges::none_of(last.accesses, [&](const shown::access& other) {
    return (!only_beyond_warp_ || other.is_beyond_warp) &&
           machine_.may_not_commute(state_[lane_], other.at);
  });
}

void reach_without::remember() {
  const std::size_t lanes = machine_.places().lanes.size();
  if (shown_.empty()) shown_.resize(lanes);
  shown& last = shown_[lane_];
  last.lanes.assign(state_.begin(), state_.begin() + lanes);
  last.at = state_[lane_];
  last.only_beyond_warp = only_beyond_warp_;
  last.is_complete = !is_over_;
  last.starts.clear();
  for (std::uint32_t p = 0; p < place_count_; ++p) {
    const location& one = places_[p];
    if (one.started == 0) continue;
    last.starts.push_back({one.offset, one.size, {}});
    last.starts.back().values.assign(one.values.begin(), one.values.begin() + one.started);
  }
  last.accesses.clear();
  if (is_over_) return;
  for (std::uint32_t n = 0; n < count_; ++n) {
    if (machine_.traits(nodes_[n].at).what != operation_traits::kind::access) continue;
    bool is_beyond = false;
    for (std::size_t w = 0; w < words_; ++w) {
      is_beyond = is_beyond || (lanes_of(n)[w] & ~same_warp_[w]) != 0;
    }
    last.accesses.push_back({nodes_[n].at, is_beyond});
  }
}

std::optional<continuation> reach_without::given(continuation from, std::uint64_t value) {
  const auto known = known_.find({from, value});
  if (known != known_.end()) return known->second;
  const auto to = machine_.program().given(from, value);
  if (to) known_.emplace(std::pair(from, value), *to);
  return to;
}

void reach_without::list_values(std::uint32_t offset, std::uint32_t size,
                                std::vector<std::uint64_t>& all) const {
  all.clear();
  if (machine_.traits_of_memory().is_image) {
    std::uint64_t value = 0;
    std::memcpy(&value, machine_.image(state_).data() + offset, size);
    all.push_back(value);
    return;
  }
  for (const stored_value& one :
       machine_.stored_at(state_, offset, static_cast<std::uint8_t>(size))) {
    if (std::ranges::find(all, one.value) == all.end()) all.push_back(one.value);
  }
}

void reach_without::begin() {
  const grid_places& all = machine_.places();
  const std::size_t lanes = all.lanes.size();
  words_ = (lanes + 63) / 64;
  is_over_ = false;
  work_ = static_cast<std::uint32_t>(lanes / 16);
  count_ = 0;
  lanes_.clear();
  node_of_.clear();
  place_count_ = 0;
  open_.clear();
  never_.clear();
  no_other_.clear();
  for (auto* const set : {&same_warp_, &same_block_, &same_cluster_}) set->assign(words_, 0);
  const place& here = all.lanes[lane_];
  std::vector<std::uint64_t> one(words_);
  for (std::uint32_t other = 0; other < lanes && !is_over_; ++other) {
    const auto add = [&](std::vector<std::uint64_t>& set) {
      set[other / 64] |= std::uint64_t{1} << (other % 64);
    };
    const place& there = all.lanes[other];
    if (there.warp == here.warp) add(same_warp_);
    if (there.block == here.block) add(same_block_);
    if (machine_.setup().grid.share_cluster(there.block, here.block)) add(same_cluster_);
    if (other == lane_ || state_[other] == exited) continue;
    std::ranges::fill(one, 0);
    add(one);
    add_lanes(node_at(state_[other]), one);
  }
}

std::uint32_t reach_without::node_at(continuation c) {
  const auto [known, is_new] = node_of_.try_emplace(c, static_cast<std::uint32_t>(count_));
  if (!is_new) return known->second;
  if (count_ == nodes_.size()) nodes_.emplace_back();
  node& made = nodes_[count_++];
  made.at = c;
  made.place = none;
  made.done = 0;
  made.queued = made.follows_all = false;
  made.to.clear();
  lanes_.resize(count_ * words_, 0);
  if (++work_ > work_limit) is_over_ = true;
  return known->second;
}

void reach_without::queue(std::uint32_t n) {
  if (nodes_[n].queued) return;
  nodes_[n].queued = true;
  open_.push_back(n);
}

void reach_without::add_lanes(std::uint32_t to, std::span<const std::uint64_t> more) {
  const lane_set lanes = lanes_of(to);
  bool grows = false;
  for (std::size_t w = 0; w < words_; ++w) {
    grows = grows || (more[w] & ~lanes[w]) != 0;
    lanes[w] |= more[w];
  }
  if (!grows) return;
  if (conflicts(to)) is_over_ = true;
  queue(to);
}

// All lanes of `from` come to `to`.
void reach_without::lead(std::uint32_t from, continuation to) {
  const std::uint32_t n = node_at(to);
  auto& known = nodes_[from].to;
  if (std::ranges::find(known, n) == known.end()) known.push_back(n);
  if (n == from) return;
  led_.assign(lanes_of(from).begin(), lanes_of(from).end());
  add_lanes(n, led_);
}

void reach_without::visit(std::uint32_t n) {
  using kind = operation_traits::kind;
  for (std::size_t i = 0; i < nodes_[n].to.size() && !is_over_; ++i) {
    lead(n, nodes_[nodes_[n].to[i]].at);
  }
  switch (machine_.traits(nodes_[n].at).what) {
    case kind::access: return visit_access(n);
    case kind::silent:
    case kind::event:
    case kind::branch: return answer(n, 0);
    case kind::choose: return follow_all(n);
    case kind::local: return visit_local(n);
    case kind::collective:
    case kind::barrier: return visit_waiting(n);
    case kind::exited:
    case kind::bad_access:
    case kind::fail:
    case kind::endless: return;
  }
}

// No lane was given such an answer yet. If a lane is, the conclusion is void.
void reach_without::answer(std::uint32_t n, std::uint64_t value) {
  if (++work_ > work_limit) is_over_ = true;
  const auto to = given(nodes_[n].at, value);
  if (to) return lead(n, *to);
  never_.emplace_back(nodes_[n].at, value);
}

void reach_without::follow_all(std::uint32_t n) {
  if (nodes_[n].follows_all) return;
  nodes_[n].follows_all = true;
  no_other_.push_back(nodes_[n].at);
  std::vector<continuation> next;
  machine_.program().for_each_given(nodes_[n].at,
                                    [&](std::uint64_t, continuation to) { next.push_back(to); });
  work_ += static_cast<std::uint32_t>(next.size());
  for (const continuation to : next) lead(n, to);
}

void reach_without::visit_local(std::uint32_t n) {
  const continuation at = nodes_[n].at;
  const operation& op = machine_.program().at(at);
  std::vector<std::uint64_t> one(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = lanes_of(n)[w]; rest != 0 && !is_over_; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint64_t told =
          machine_.local_answer(static_cast<std::uint32_t>(w * 64) + bit, op);
      if (const auto to = given(at, told)) {
        std::ranges::fill(one, 0);
        one[w] = std::uint64_t{1} << bit;
        add_lanes(node_at(*to), one);
      } else {
        never_.emplace_back(at, told);
      }
    }
  }
}

// Other lanes wait at a barrier or collective that needs the standing lane.
void reach_without::visit_waiting(std::uint32_t n) {
  const operation& op = machine_.program().at(nodes_[n].at);
  std::span<const std::uint64_t> held;
  if (op.kind == operation_kind::barrier) {
    switch (op.barrier) {
      case barrier_part::syncthreads: held = same_block_; break;
      case barrier_part::cluster: held = same_cluster_; break;
      case barrier_part::grid: return;
      case barrier_part::arrive:
      case barrier_part::wait:
      case barrier_part::cluster_arrive:
      case barrier_part::cluster_wait: break;
    }
  } else if (!machine_.has_stacks() && op.collective != detail::collective_kind::activemask &&
             (op.mask >> machine_.places().lanes[lane_].index & 1U) != 0) {
    held = same_warp_;
  }
  if (held.empty()) return follow_all(n);
  std::vector<std::uint64_t> free(words_);
  bool any = false;
  for (std::size_t w = 0; w < words_; ++w) {
    free[w] = lanes_of(n)[w] & ~held[w];
    any = any || free[w] != 0;
  }
  if (!any) return;
  no_other_.push_back(nodes_[n].at);
  std::vector<continuation> next;
  machine_.program().for_each_given(nodes_[n].at,
                                    [&](std::uint64_t, continuation to) { next.push_back(to); });
  work_ += static_cast<std::uint32_t>(next.size());
  for (const continuation to : next) add_lanes(node_at(to), free);
}

void reach_without::visit_access(std::uint32_t n) {
  const continuation at = nodes_[n].at;
  const operation& op = machine_.program().at(at);
  if (nodes_[n].place == none) {
    const operation_traits t = machine_.traits(at);
    const std::uint32_t p = place_of(t.offset, t.size);
    nodes_[n].place = p;
    places_[p].users.push_back(n);
    if (op.memory == detail::memory_kind::pool_take) forget_values(p);
  }
  const std::uint32_t p = nodes_[n].place;
  if (places_[p].is_any) return follow_all(n);
  const bool is_update = op.writes() && op.memory != detail::memory_kind::store;
  if (is_update) {
    add_updating(p, n);
    nodes_[n].done = 0;  // there may be more updates now than when they were looked at
  }
  while (!is_over_ && !places_[p].is_any && nodes_[n].done < places_[p].values.size()) {
    const std::uint32_t i = nodes_[n].done++;
    const std::uint64_t old = places_[p].values[i];
    const std::uint32_t before = places_[p].updates[i];
    if (is_update && before >= most_updates(places_[p])) continue;
    const std::uint64_t told = simt::answer(op, old);
    if (++work_ > work_limit) is_over_ = true;
    const auto to = given(at, told);
    if (!to) {
      never_.emplace_back(at, told);
      continue;
    }
    if (const std::uint64_t now = simt::apply(op, old); now != old) {
      add_value(p, now, is_update ? before + 1 : 0);
    }
    lead(n, *to);
    if (is_update && !places_[p].is_updated_again && machine_.may_write_again(*to, at)) {
      places_[p].is_updated_again = true;
      for (const std::uint32_t user : places_[p].users) queue(user);
    }
  }
}

void reach_without::add_updating(std::uint32_t p, std::uint32_t n) {
  location& where = places_[p];
  where.updating.resize(words_, 0);
  bool grows = false;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t more = lanes_of(n)[w] & ~where.updating[w];
    grows = grows || more != 0;
    where.updating[w] |= more;
  }
  if (!grows) return;
  for (const std::uint32_t user : where.users) queue(user);
}

std::uint32_t reach_without::most_updates(const location& where) const {
  if (where.is_updated_again) return none;
  std::uint32_t lanes = 0;
  for (const std::uint64_t word : where.updating) {
    lanes += static_cast<std::uint32_t>(std::popcount(word));
  }
  return lanes;
}

std::uint32_t reach_without::place_of(std::uint32_t offset, std::uint8_t size) {
  bool is_cut = false;
  for (std::uint32_t p = 0; p < place_count_; ++p) {
    const location& other = places_[p];
    if (other.offset == offset && other.size == size) return p;
    if (overlap(other.offset, other.size, offset, size)) {
      forget_values(p);
      is_cut = true;
    }
  }
  const std::uint32_t made = place_count_++;
  if (made == places_.size()) places_.emplace_back();
  location& here = places_[made];
  here.offset = offset;
  here.size = size;
  here.is_any = is_cut;
  here.started = 0;
  here.values.clear();
  here.users.clear();
  here.updating.clear();
  here.is_updated_again = false;
  if (!is_cut) {
    list_values(offset, size, here.values);
    here.started = static_cast<std::uint32_t>(here.values.size());
  }
  here.updates.assign(here.values.size(), 0);
  return made;
}

void reach_without::add_value(std::uint32_t p, std::uint64_t value, std::uint32_t updates) {
  location& to = places_[p];
  if (to.is_any) return;
  const auto known = std::ranges::find(to.values, value);
  if (known != to.values.end()) {
    std::uint32_t& fewest = to.updates[static_cast<std::size_t>(known - to.values.begin())];
    if (updates >= fewest) return;
    fewest = updates;
  } else {
    if (to.values.size() == value_limit) return forget_values(p);
    to.values.push_back(value);
    to.updates.push_back(updates);
  }
  for (const std::uint32_t user : to.users) queue(user);
}

void reach_without::forget_values(std::uint32_t p) {
  places_[p].is_any = true;
  for (const std::uint32_t user : places_[p].users) queue(user);
}

// Whether lanes at this node stand at an access that conflicts with the access of the standing
// lane.
bool reach_without::conflicts(std::uint32_t n) {
  const continuation c = nodes_[n].at;
  const operation_traits t = machine_.traits(c);
  if (t.what != operation_traits::kind::access) return false;
  if (only_beyond_warp_) {
    bool beyond = false;
    for (std::size_t w = 0; w < words_; ++w) {
      beyond = beyond || (lanes_of(n)[w] & ~same_warp_[w]) != 0;
    }
    if (!beyond) return false;
  }
  return machine_.may_not_commute(state_[lane_], c);
}

}  // namespace simt
