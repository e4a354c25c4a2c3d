// Computes which accesses other lanes can reach while one lane stands still, as a fixpoint over
// continuations and values.
#include "sim/machine/reduce/reach_without.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include <simt/detail/agent.hpp>

#include "sim/automaton/components.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/access_uses.hpp"

namespace simt {
namespace {

// The most answers and continuations of one question: more would cost more than they save.
constexpr std::uint32_t least_work_limit = 4'096, work_limit_per_lane = 16;
// A copy is handed over as five words (simt/detail/copies.hpp). The first one says who is there.
constexpr std::uint32_t desk_bytes = 40;
// The most values of one location that are told apart.
constexpr std::size_t value_limit = 256;

/// Adds lanes `first` up to `end` (excluded).
void add_range(std::vector<std::uint64_t>& set, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t w = first / 64; w * 64 < end; ++w) {
    const std::uint32_t from = std::max(first, w * 64) - w * 64;
    const std::uint32_t to = std::min(end, w * 64 + 64) - w * 64;
    const std::uint64_t below = to == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
    set[w] |= below & ~((std::uint64_t{1} << from) - 1);
  }
}

bool overlap(std::uint32_t a, std::uint32_t size_a, std::uint32_t b, std::uint32_t size_b) {
  return a < b + size_b && b < a + size_a;
}

}  // namespace

reach_without::reach_without(machine& m, access_uses& uses) : machine_(m), uses_(uses) {
  const std::vector<warp_place>& warps = machine_.places().warps;
  const std::uint32_t first = warps.front().full_mask();
  whole_warp_ = first;
  for (std::uint32_t w = 0; w < warps.size(); ++w) {
    if (!machine_.setup().grid.is_agent(w) && warps[w].full_mask() != first) whole_warp_.reset();
  }
}

bool reach_without::leaves_alone(std::span<const std::uint32_t> state, std::uint32_t lane,
                                 bool only_beyond_warp, bool waits_are_none, bool stands) {
  state_ = state;
  lane_ = lane;
  only_beyond_warp_ = only_beyond_warp;
  waits_are_none_ = waits_are_none;
  has_halves_ = !machine_.status(state).halves.empty();
  const std::uint32_t block = machine_.lanes().traits(state[lane]).block;
  needed_block_ = block != no_block && block != machine_.places().lanes[lane].block ? block : none;
  const std::lock_guard lock(machine_.stores().lanes_lock);
  lane_automaton& program = machine_.program();
  const operation& op = program.at(state[lane]);
  if (!program.is_worth(op)) return false;
  if (!stands) {
    if (needed_block_ != none) return false;
    const bool is_new = !of_all_.is_known;
    const bool all_do = all_leave_alone();
    account(op, is_new ? work_ : 1, all_do);
    return all_do;
  }
  if (const std::optional<bool> known = known_answer()) {
    account(op, 1, *known);
    return *known;
  }
  // With a single question, computing the reach of all lanes would not pay.
  std::uint32_t work = 0;
  if (questions_++ > 0 && needed_block_ == none) {
    const bool is_new = !of_all_.is_known;
    const bool all_do = all_leave_alone();
    work = is_new ? work_ : 1;
    if (all_do) {
      account(op, work, true);
      return true;
    }
  }
  find_reach();
  remember();
  account(op, work + work_, !is_over_);
  if (!is_over_) assume(assumed_);
  return !is_over_;
}

void reach_without::account(const operation& op, std::uint64_t work, bool spares) {
  const std::size_t lanes = machine_.places().lanes.size();
  // A saved state would have had steps of all lanes, and a word for each of them.
  machine_.program().account_for(op, {.spent = work, .spared = spares ? 32 * lanes : 0},
                                 3000 * (400 + 4 * lanes));
}

void reach_without::assume(const assumptions& all) {
  lane_automaton& program = machine_.program();
  for (const auto& [c, value] : all.never) program.assume_never(c, value);
  for (const continuation c : all.no_other) program.assume_no_other(c);
}

void reach_without::find_reach() {
  begin();
  // Visits nodes first come, first served: a conflict is mostly near.
  std::size_t next = 0;
  do {
    for (; next < open_.size() && !is_over_; ++next) {
      const std::uint32_t n = open_[next];
      nodes_[n].queued = false;
      visit(n);
    }
  } while (!is_over_ && !updates_are_as_taken());
}

void reach_without::begin_questions() {
  questions_ = 0;
  of_all_.is_known = false;
}

// From any later state, the other lanes reach only what all lanes reach from the state of the first
// question.
bool reach_without::all_leave_alone() {
  reach_of_all& all = of_all_;
  if (!all.is_known) {
    const std::uint32_t asked = lane_;
    lane_ = none;
    find_reach();
    lane_ = asked;
    all.is_known = true;
    all.is_complete = !is_over_;
    all.is_assumed = false;
    all.accesses.clear();
    all.lanes.clear();
    all.assumed = assumed_;
    if (is_over_) return false;
    for (std::uint32_t n = 0; n < count_; ++n) {
      const operation_traits t = machine_.lanes().traits(nodes_[n].at);
      if (t.what != operation_traits::kind::access) continue;
      all.accesses.push_back({t.offset, t.offset + t.size, nodes_[n].at,
                              static_cast<std::uint32_t>(all.lanes.size())});
      all.lanes.insert(all.lanes.end(), lanes_of(n).begin(), lanes_of(n).end());
    }
    std::ranges::sort(all.accesses, {}, &reach_of_all::access::begin);
  }
  if (!all.is_complete) return false;
  const grid_places& places = machine_.places();
  const warp_place& warp = places.warps[places.lanes[lane_].warp];
  const operation_traits t = machine_.lanes().traits(state_[lane_]);
  const bool has_node = uses_.concerns_nodes(state_[lane_]);  // not only its own bytes count
  for (const reach_of_all::access& other : all.accesses) {
    if (!has_node && other.begin >= t.offset + t.size) break;
    if (!has_node && other.end <= t.offset) continue;
    if (!uses_.may_not_commute(state_[lane_], other.at)) continue;
    for (std::uint32_t w = 0; w < words_; ++w) {
      std::uint64_t lanes = all.lanes[other.lanes + w];
      if (only_beyond_warp_) {
        for (std::uint32_t l = warp.first; l < warp.first + warp.lanes; ++l) {
          if (l / 64 == w) lanes &= ~(std::uint64_t{1} << (l % 64));
        }
      } else if (lane_ / 64 == w) {
        lanes &= ~(std::uint64_t{1} << (lane_ % 64));
      }
      if (lanes != 0) return false;
    }
  }
  if (!all.is_assumed) {
    all.is_assumed = true;
    assume(all.assumed);
  }
  return true;
}

// A lane that ran ahead has changed nothing that others may access: otherwise its step would not
// have run ahead. So the accesses of others stay the same for its next steps.
std::optional<bool> reach_without::known_answer() {
  if (lane_ >= shown_.size()) return std::nullopt;
  const shown& last = shown_[lane_];
  const std::size_t lanes = machine_.places().lanes.size();
  if (last.lanes.empty() || last.waits_are_none != waits_are_none_) return std::nullopt;
  const grid_status& status = machine_.status(state_);
  if (last.halves != status.halves || last.barriers != status.barriers) return std::nullopt;
  const bool is_same_question =
      last.at == state_[lane_] && last.only_beyond_warp == only_beyond_warp_;
  const bool is_for_access = last.is_for_access || needed_block_ != none;
  if ((!last.is_complete || is_for_access) && !is_same_question) return std::nullopt;
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
  const bool is_free = std::ranges::none_of(last.accesses, [&](const shown::access& other) {
    return (!only_beyond_warp_ || other.is_beyond_warp) &&
           uses_.may_not_commute(state_[lane_], other.at);
  });
  // Values may show that these accesses commute. So the answer would depend on earlier questions.
  return is_free ? std::optional(true) : std::nullopt;
}

void reach_without::remember() {
  const std::size_t lanes = machine_.places().lanes.size();
  if (shown_.empty()) shown_.resize(lanes);
  shown& last = shown_[lane_];
  last.lanes.assign(state_.begin(), state_.begin() + lanes);
  last.at = state_[lane_];
  last.only_beyond_warp = only_beyond_warp_;
  last.waits_are_none = waits_are_none_;
  last.barriers = machine_.status(state_).barriers;
  last.halves = machine_.status(state_).halves;
  last.is_complete = !is_over_;
  last.starts.clear();
  for (std::uint32_t p = 0; p < place_count_; ++p) {
    const location& one = places_[p];
    if (one.started == 0) continue;
    last.starts.push_back({one.offset, one.size, {}});
    last.starts.back().values.assign(one.values.begin(), one.values.begin() + one.started);
  }
  last.accesses.clear();
  last.is_for_access = needed_block_ != none;
  if (is_over_) return;
  for (std::uint32_t n = 0; n < count_; ++n) {
    if (machine_.lanes().traits(nodes_[n].at).what != operation_traits::kind::access) continue;
    if (nodes_[n].only_waits || nodes_[n].commutes) {
      last.is_for_access = true;
      continue;
    }
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
  const std::vector<stored_value> stored =
      machine_.stored_at(state_, offset, static_cast<std::uint8_t>(size));
  const auto add = [&](std::uint64_t value) {
    if (std::ranges::find(all, value) == all.end()) all.push_back(value);
  };
  if (stored.size() == 1) return add(stored.front().value);
  // What a lane may not read now, it may not read later. Lanes that never come here do not matter.
  const footprints::cell_range cells = uses_.cells_of(offset, size);
  const auto comes = [&](std::uint32_t lane) {
    return lane != lane_ && uses_.may_come_to(state_[lane], cells);
  };
  const std::vector<std::vector<std::uint32_t>> readers = machine_.readers_at(state_, offset);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i].promised || std::ranges::any_of(readers[i], comes)) add(stored[i].value);
  }
}

void reach_without::begin() {
  const grid_places& all = machine_.places();
  const std::size_t lanes = all.lanes.size();
  words_ = (lanes + 63) / 64;
  work_limit_ = std::max(least_work_limit, work_limit_per_lane * static_cast<std::uint32_t>(lanes));
  is_over_ = false;
  work_ = static_cast<std::uint32_t>(lanes / 16);
  count_ = 0;
  lanes_.clear();
  node_of_.clear();
  place_count_ = 0;
  named_.clear();
  desks_.clear();
  open_.clear();
  assumed_.never.clear();
  assumed_.no_other.clear();
  for (auto* const set : {&same_warp_, &same_block_, &same_cluster_}) set->assign(words_, 0);
  for (auto& set : absent_) set.assign(words_, 0);
  may_exit_.assign(words_, 0);
  for (block_votes& each : votes_) each.is_begun = false;
  late_votes_.clear();
  for (auto& of_kind : barriers_) {
    for (barrier_phase& each : of_kind) each.is_begun = false;
  }
  const grid_shape& grid = machine_.setup().grid;
  place here = lane_ == none ? place{.block = none, .warp = none} : all.lanes[lane_];
  // No barrier waits for an agent.
  holds_barriers_up_ = lane_ != none && !grid.is_agent(here.warp);
  if (!holds_barriers_up_) here.block = none;
  for (std::uint32_t w = 0; w < all.warps.size(); ++w) {
    const warp_place& warp = all.warps[w];
    const auto add = [&](std::vector<std::uint64_t>& set) {
      add_range(set, warp.first, warp.first + warp.lanes);
    };
    if (w == here.warp) add(same_warp_);
    if (warp.block == here.block) add(same_block_);
    if (holds_barriers_up_ && grid.share_cluster(warp.block, here.block)) add(same_cluster_);
    if (grid.is_agent(w)) add(absent_[static_cast<std::size_t>(joint::block)]);
  }
  // Similar lanes mostly stand side by side.
  std::vector<std::uint64_t> alike(words_);
  for (std::uint32_t first = 0, end = 0; first < lanes && !is_over_; first = end) {
    while (end < lanes && state_[end] == state_[first]) ++end;
    if (state_[first] == exited) {
      for (auto& set : absent_) add_range(set, first, end);
      continue;
    }
    std::ranges::fill(alike, 0);
    add_range(alike, first, end);
    if (first <= lane_ && lane_ < end) alike[lane_ / 64] &= ~(std::uint64_t{1} << (lane_ % 64));
    if (end - first > 1 || first != lane_) add_lanes(node_at(state_[first], {}), alike);
  }
}

std::uint32_t reach_without::node_at(continuation c, phases since) {
  const auto [known, is_new] = node_of_.try_emplace({c, since}, static_cast<std::uint32_t>(count_));
  if (!is_new) return known->second;
  if (count_ == nodes_.size()) nodes_.emplace_back();
  node& made = nodes_[count_++];
  made.at = c;
  made.since = since;
  made.place = none;
  made.done = 0;
  made.queued = made.only_waits = made.commutes = made.follows_all = false;
  made.to.clear();
  made.parts.clear();
  made.changed.clear();
  lanes_.resize(count_ * words_, 0);
  if (++work_ > work_limit_) is_over_ = true;
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
  if (conflicts(to)) {
    nodes_[to].commutes = may_commute(to);
    nodes_[to].only_waits = may_only_wait(to);
    if (!nodes_[to].commutes && !nodes_[to].only_waits) is_over_ = true;
  }
  queue(to);
}

// Leads all lanes of `from` to `to`. Returns the node of `to`.
std::uint32_t reach_without::lead(std::uint32_t from, continuation to) {
  const std::size_t nodes = count_;
  const std::uint32_t n = node_at(to, nodes_[from].since);
  auto& known = nodes_[from].to;
  if (count_ > nodes || std::ranges::find(known, n) == known.end()) known.push_back(n);
  add_all_lanes(from, n);
  return n;
}

void reach_without::add_all_lanes(std::uint32_t from, std::uint32_t to) {
  if (to == from) return;
  led_.assign(lanes_of(from).begin(), lanes_of(from).end());
  add_lanes(to, led_);
}

void reach_without::lead_some(std::uint32_t from, std::uint32_t to,
                              std::span<const std::uint64_t> lanes) {
  auto& known = nodes_[from].parts;
  if (std::ranges::find(known, to) == known.end()) known.push_back(to);
  add_lanes(to, lanes);
}

void reach_without::visit(std::uint32_t n) {
  using kind = operation_traits::kind;
  for (std::size_t i = 0; i < nodes_[n].to.size() && !is_over_; ++i) {
    add_all_lanes(n, nodes_[n].to[i]);
  }
  work_ += static_cast<std::uint32_t>(nodes_[n].to.size() / 4);
  switch (machine_.lanes().traits(nodes_[n].at).what) {
    case kind::access: return visit_access(n);
    case kind::silent:
    case kind::event:
    case kind::branch: return answer(n, 0);
    case kind::choose: return follow_all(n);
    case kind::local: return visit_local(n);
    case kind::collective:
    case kind::barrier: return visit_waiting(n);
    case kind::exited: return visit_exited(n);
    case kind::bad_access:
    case kind::fail:
    case kind::endless: return;
  }
}

// Goes on with an answer. If no lane was given that answer yet, assumes that no lane will be;
// otherwise the conclusion is void.
void reach_without::answer(std::uint32_t n, std::uint64_t value) {
  if (++work_ > work_limit_) is_over_ = true;
  const auto to = given(nodes_[n].at, value);
  if (to) {
    lead(n, *to);
    return;
  }
  assumed_.never.emplace_back(nodes_[n].at, value);
}

void reach_without::follow_all(std::uint32_t n) {
  if (nodes_[n].follows_all) return;
  nodes_[n].follows_all = true;
  assumed_.no_other.push_back(nodes_[n].at);
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
          machine_.lanes().local_answer(static_cast<std::uint32_t>(w * 64) + bit, op);
      if (const auto to = given(at, told)) {
        std::ranges::fill(one, 0);
        one[w] = std::uint64_t{1} << bit;
        lead_some(n, node_at(*to, nodes_[n].since), one);
      } else {
        assumed_.never.emplace_back(at, told);
      }
    }
  }
}

// Lanes at `n` wait at a barrier or collective. Those that need the standing lane stay there.
void reach_without::visit_waiting(std::uint32_t n) {
  const operation& op = machine_.program().at(nodes_[n].at);
  std::span<const std::uint64_t> held;
  if (op.kind == operation_kind::barrier) {
    switch (op.barrier) {
      case barrier_part::syncthreads: return visit_joint(n, joint::block);
      case barrier_part::cluster:
        if (!has_halves_) held = same_cluster_;
        break;
      case barrier_part::grid:
        if (!holds_barriers_up_) return follow_all(n);
        return;
      case barrier_part::arrive:
      case barrier_part::wait: return visit_named(n);
      case barrier_part::cluster_arrive: break;
      case barrier_part::cluster_wait: return visit_cluster_wait(n);
    }
  } else if (machine_.has_stacks() && op.collective == detail::collective_kind::syncwarp) {
    return answer(n, 0);  // each lane passes it by itself
  } else if (op.collective != detail::collective_kind::activemask) {
    if (whole_warp_ && (op.mask & *whole_warp_) == *whole_warp_) return visit_joint(n, joint::warp);
    if (!machine_.has_stacks() && lane_ != none &&
        (op.mask >> machine_.places().lanes[lane_].index & 1U) != 0) {
      held = same_warp_;
    }
  }
  if (held.empty()) return follow_all(n);
  std::vector<std::uint64_t> free(words_);
  for (std::size_t w = 0; w < words_; ++w) free[w] = lanes_of(n)[w] & ~held[w];
  follow_some(n, free, nodes_[n].since);
}

// All lanes of a block or warp that have not exited pass the barrier in one step, so all have
// passed equally many before. The standing lane never arrives.
void reach_without::visit_joint(std::uint32_t n, joint kind) {
  phases since = nodes_[n].since;
  const std::uint8_t phase = since.of(kind);
  const bool reduces = kind == joint::block &&
                       (machine_.program().at(nodes_[n].at).mask & detail::barrier_reduces) != 0;
  const std::vector<std::uint64_t> lanes(lanes_of(n).begin(), lanes_of(n).end());
  std::vector<std::uint64_t> passing(words_);
  if (phase == most_phases) {  // it is not known how many they have passed
    const auto& held = kind == joint::block ? same_block_ : same_warp_;
    for (std::size_t w = 0; w < words_; ++w) passing[w] = lanes[w] & ~held[w];
    if (reduces) {
      if (std::ranges::find(late_votes_, n) == late_votes_.end()) late_votes_.push_back(n);
      return vote(n, most_phases, late_votes_, passing, since);
    }
  } else {
    barrier_phase& here = phase_of(kind, phase);
    if (std::ranges::find(here.nodes, n) == here.nodes.end()) here.nodes.push_back(n);
    come(kind, phase, lanes);
    for (std::size_t w = 0; w < words_; ++w) passing[w] = lanes[w] & here.passed[w];
    ++since.of(kind);
    if (kind == joint::warp) return exchange(n, here.nodes, passing, since);
    if (reduces) return vote(n, phase, here.nodes, passing, since);
  }
  follow_some(n, passing, since);
}

// Lanes at the node go on with what lanes of their warps offer that have passed equally many
// collectives.
void reach_without::exchange(std::uint32_t n, std::span<const std::uint32_t> all,
                             std::span<const std::uint64_t> passing, phases since) {
  std::uint32_t lanes = 0;
  for (const std::uint64_t word : lanes_of(n)) {
    lanes += static_cast<std::uint32_t>(std::popcount(word));
  }
  if (nodes_[n].done != lanes) {  // lanes at other nodes may get more answers
    nodes_[n].done = lanes;
    for (const std::uint32_t other : all) {
      if (other != n) queue(other);
    }
  }
  const continuation at = nodes_[n].at;
  const operation op = machine_.program().at(at);
  told_.clear();
  std::vector<std::uint64_t> any(words_);  // lanes that may get any of the known answers
  std::uint32_t last_warp = none;
  std::optional<std::array<std::uint64_t, 32>> votes;  // of `last_warp`
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = passing[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (~rest + 1);
      const auto lane =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
      const place& here = machine_.places().lanes[lane];
      if (op.collective == detail::collective_kind::syncwarp) {
        tell(0, w, bit);
      } else if (op.collective == detail::collective_kind::shfl) {
        const std::uint32_t source = machine_.places().warps[here.warp].first +
                                     warp_collectives::shuffle_source(here.index, op.shfl);
        for (const std::uint32_t other : all) {
          if ((lanes_of(other)[source / 64] >> (source % 64) & 1U) != 0)
            tell(machine_.program().at(nodes_[other].at).operand, w, bit);
        }
        // The source may have exited. An answer that was never given costs no more than a note.
        if ((op.shfl & detail::shfl_may_miss) != 0) tell(detail::not_shuffled, w, bit);
      } else {
        if (here.warp != last_warp) votes = votes_of(here.warp, all);
        last_warp = here.warp;
        if (votes) {
          tell((*votes)[here.index], w, bit);
        } else {
          any[w] |= bit;
        }
      }
    }
  }
  lead_told(n, any, since);
}

void reach_without::lead_told(std::uint32_t n, std::span<const std::uint64_t> any, phases since) {
  const continuation at = nodes_[n].at;
  for (const auto& [value, some] : told_) {
    if (++work_ > work_limit_) is_over_ = true;
    if (const auto to = given(at, value)) {
      lead_some(n, node_at(*to, since), some);
    } else {
      assumed_.never.emplace_back(at, value);
    }
  }
  follow_some(n, any, since);
}

void reach_without::vote(std::uint32_t n, std::size_t phase, std::span<const std::uint32_t> all,
                         std::span<const std::uint64_t> passing, phases since) {
  const operation op = machine_.program().at(nodes_[n].at);
  const std::uint32_t reduction = op.mask & detail::barrier_reduces;
  block_votes& here = votes_[phase];
  if (!here.is_begun) {
    here.is_begun = true;
    here.reduction = reduction;
    here.is_mixed = false;
    here.yes.assign(words_, 0);
    here.no.assign(words_, 0);
    here.answers.assign(machine_.setup().grid.blocks, none_yet);
  }
  bool grows = !here.is_mixed && here.reduction != reduction;
  here.is_mixed = here.is_mixed || grows;
  std::vector<std::uint64_t>& said = op.operand != 0 ? here.yes : here.no;
  for (std::size_t w = 0; w < words_; ++w) {
    grows = grows || (lanes_of(n)[w] & ~said[w]) != 0;
    said[w] |= lanes_of(n)[w];
  }
  if (grows && count_votes(here)) {
    for (const std::uint32_t other : all) {
      if (other != n) queue(other);
    }
  }
  told_.clear();
  std::vector<std::uint64_t> any(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = passing[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (~rest + 1);
      const auto lane =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint64_t answer = here.answers[machine_.places().lanes[lane].block];
      if (answer == open_answer) {
        any[w] |= bit;
      } else if (answer != none_yet) {
        tell(answer, w, bit);
      }
    }
  }
  lead_told(n, any, since);
}

bool reach_without::count_votes(block_votes& here) {
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  const std::vector<std::uint64_t>& absent = absent_[static_cast<std::size_t>(joint::block)];
  work_ += static_cast<std::uint32_t>(words_);
  bool changes = false;
  for (std::uint32_t block = 0; block < here.answers.size(); ++block) {
    std::uint32_t sure = 0, open = 0, all = 0;  // lanes
    bool is_complete = true;
    const std::uint32_t end = (block + 1) * threads;
    for (std::uint32_t first = block * threads, next = 0; first < end; first = next) {
      next = std::min(end, first / 64 * 64 + 64);
      const std::size_t w = first / 64;
      const std::uint64_t part =
          (next % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (next % 64)) - 1) &
          (~std::uint64_t{0} << (first % 64));
      const std::uint64_t come = here.yes[w] | here.no[w];
      const std::uint64_t may_differ = (here.yes[w] & here.no[w]) | (come & may_exit_[w]);
      is_complete = is_complete && (part & ~come & ~may_exit_[w] & ~absent[w]) == 0;
      all += static_cast<std::uint32_t>(std::popcount(part & come));
      open += static_cast<std::uint32_t>(std::popcount(part & may_differ));
      sure += static_cast<std::uint32_t>(std::popcount(part & here.yes[w] & ~may_differ));
    }
    std::uint64_t answer = none_yet;
    if (is_complete) {
      // More lanes that say yes never turn the answer of `and` or `or` back.
      const std::uint64_t least = detail::barrier_result(here.reduction, sure, all);
      const std::uint64_t most = detail::barrier_result(here.reduction, sure + open, all);
      const bool counts = here.reduction == detail::barrier_counts;
      const bool is_known = !here.is_mixed && (open == 0 || (!counts && least == most));
      answer = is_known ? least : open_answer;
    }
    changes = changes || here.answers[block] != answer;
    here.answers[block] = answer;
  }
  return changes;
}

// A lane passes its wait when all lanes of the cluster have arrived, among them the standing lane.
// That lane has arrived for the present round, or for none that is not complete. A lane that still
// has to pass the wait of the round before may pass that one, too.
void reach_without::visit_cluster_wait(std::uint32_t n) {
  if (!holds_barriers_up_) return follow_all(n);
  const std::vector<std::uint8_t>& halves = machine_.status(state_).halves;
  const auto half_of = [&](std::uint32_t lane) {
    return halves.empty() ? std::uint8_t{grid_status::no_half} : halves[lane];
  };
  const std::uint32_t of_this_round = half_of(lane_) == grid_status::has_arrived ? 1 : 0;
  phases since = nodes_[n].since;
  std::vector<std::uint64_t> passing(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    passing[w] = lanes_of(n)[w] & ~same_cluster_[w];
    for (std::uint64_t rest = lanes_of(n)[w] & same_cluster_[w]; rest != 0; rest &= rest - 1) {
      const auto lane =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t of_last_round = half_of(lane) == grid_status::may_pass ? 1 : 0;
      if (since.waits < of_last_round + of_this_round) passing[w] |= rest & (~rest + 1);
    }
  }
  if (since.waits < most_waits) ++since.waits;
  follow_some(n, passing, since);
}

void reach_without::tell(std::uint64_t value, std::size_t word, std::uint64_t lane) {
  auto known = std::ranges::find(told_, value, [](const auto& one) { return one.first; });
  if (known == told_.end()) {
    known = told_.emplace(told_.end(), value, std::vector<std::uint64_t>(words_));
  }
  known->second[word] |= lane;
}

// The answers of a collective, by place in the warp. Nothing: they are not determined, because a
// lane may offer several values.
std::optional<std::array<std::uint64_t, 32>> reach_without::votes_of(
    std::uint32_t warp, std::span<const std::uint32_t> all) {
  const warp_place& here = machine_.places().warps[warp];
  state_words offers(state_.begin(), state_.end());
  std::uint32_t there = 0;
  for (const std::uint32_t n : all) {
    for (std::uint32_t i = 0; i < here.lanes; ++i) {
      const std::uint32_t lane = here.first + i;
      if ((lanes_of(n)[lane / 64] >> (lane % 64) & 1U) == 0) continue;
      if ((there >> i & 1U) != 0) return std::nullopt;
      there |= 1U << i;
      offers[lane] = nodes_[n].at;
    }
  }
  std::array<std::uint64_t, 32> answers;
  std::string why;
  if (!machine_.collectives().collect_answers(offers, warp, there, answers, why))
    return std::nullopt;
  return answers;
}

// A warp arrives at a named barrier with all of its lanes, so the standing lane's warp never does.
// Nobody passes a barrier to which fewer warps may come than it waits for.
void reach_without::visit_named(std::uint32_t n) {
  const continuation at = nodes_[n].at;
  const operation op = machine_.program().at(at);
  const bool arrives = op.barrier == barrier_part::arrive;
  phases since = nodes_[n].since;
  const std::vector<std::uint64_t> lanes(lanes_of(n).begin(), lanes_of(n).end());
  std::vector<std::uint64_t> arriving(words_), passing(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t here = arrives ? lanes[w] & ~same_warp_[w] : lanes[w];
    work_ += static_cast<std::uint32_t>(std::popcount(here) / 16);
    for (std::uint64_t rest = here; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (~rest + 1);
      const auto lane =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
      const place& one = machine_.places().lanes[lane];
      named_barrier& barrier = named_at(one.block, op);
      if (std::ranges::find(barrier.nodes, n) == barrier.nodes.end()) barrier.nodes.push_back(n);
      if (arrives) arrive(barrier, one.warp % machine_.setup().grid.warps(), since.arrivals);
      if (barrier.may_complete) {
        passing[w] |= bit;
      } else if (arrives) {
        arriving[w] |= bit;
      }
    }
  }
  if (arrives && since.arrivals < most_phases) ++since.arrivals;
  follow_some(n, passing, since);
  if (std::ranges::all_of(arriving, [](std::uint64_t word) { return word == 0; })) return;
  if (const auto to = given(at, 0)) {  // the arrival is not the last one
    lead_some(n, node_at(*to, since), arriving);
  } else {
    assumed_.never.emplace_back(at, 0);
  }
}

reach_without::named_barrier& reach_without::named_at(std::uint32_t block, const operation& op) {
  auto known = std::ranges::find_if(
      named_, [&](const named_barrier& one) { return one.block == block && one.id == op.number; });
  if (known == named_.end()) {
    known = named_.insert(known, {.block = block, .id = op.number});
    known->arrivals.resize(machine_.setup().grid.warps());
    for (const grid_status::barrier& one : machine_.status(state_).barriers) {
      if (one.block != block || one.id != op.number) continue;
      known->expected = one.expected;
      known->arrived = one.arrived;
    }
  }
  // Warps that wait for different numbers end the run. So the least number is enough.
  if (op.barrier == barrier_part::arrive && op.count < known->expected) {
    known->expected = op.count;
    complete_if_enough(*known);
  }
  return *known;
}

// A lane comes to each of its arrivals behind more arrivals than to the one before. So a warp
// arrives here at most as often as there are different numbers.
void reach_without::arrive(named_barrier& at, std::uint32_t warp, std::uint8_t behind) {
  if (at.may_complete) return;
  if (behind == most_phases) {  // it is not known how often
    at.arrived = none;
    return complete_if_enough(at);
  }
  const auto bit = static_cast<std::uint8_t>(1U << behind);
  if ((at.arrivals[warp] & bit) != 0) return;
  at.arrivals[warp] |= bit;
  ++at.arrived;
  complete_if_enough(at);
}

void reach_without::complete_if_enough(named_barrier& at) {
  if (at.may_complete || at.arrived < at.expected) return;
  at.may_complete = true;
  for (const std::uint32_t n : at.nodes) queue(n);
}

void reach_without::visit_exited(std::uint32_t n) {
  const std::vector<std::uint64_t> lanes(lanes_of(n).begin(), lanes_of(n).end());
  bool more_exit = false;
  for (std::size_t w = 0; w < words_; ++w) {
    more_exit = more_exit || (lanes[w] & ~may_exit_[w]) != 0;
    may_exit_[w] |= lanes[w];
  }
  for (std::size_t phase = 0; more_exit && phase < votes_.size(); ++phase) {
    if (!votes_[phase].is_begun || !count_votes(votes_[phase])) continue;
    for (const std::uint32_t other : phase == most_phases ? late_votes_ : barriers_[0][phase].nodes)
      queue(other);
  }
  for (const joint kind : {joint::block, joint::warp}) {
    for (std::size_t phase = nodes_[n].since.of(kind); phase < most_phases; ++phase) {
      come(kind, phase, lanes);
    }
  }
}

reach_without::barrier_phase& reach_without::phase_of(joint kind, std::size_t phase) {
  barrier_phase& here = barriers_[static_cast<std::size_t>(kind)][phase];
  if (here.is_begun) return here;
  here.is_begun = true;
  here.come.assign(words_, 0);
  here.passed.assign(words_, 0);
  here.nodes.clear();
  const grid_places& all = machine_.places();
  here.missing.assign(kind == joint::warp ? all.warps.size() : machine_.setup().grid.blocks, 0);
  for (const place& lane : all.lanes) ++here.missing[group_of(kind, lane)];
  come(kind, phase, absent_[static_cast<std::size_t>(kind)]);
  return here;
}

void reach_without::come(joint kind, std::size_t phase, std::span<const std::uint64_t> lanes) {
  const grid_places& all = machine_.places();
  barrier_phase& here = phase_of(kind, phase);
  bool more_pass = false;
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t added = lanes[w] & ~here.come[w];
    here.come[w] |= lanes[w];
    for (; added != 0; added &= added - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(added));
      const std::uint32_t group =
          group_of(kind, all.lanes[static_cast<std::uint32_t>(w * 64) + bit]);
      if (--here.missing[group] != 0) continue;
      more_pass = true;
      const std::uint32_t warps = kind == joint::warp ? 1 : machine_.setup().grid.warps();
      const warp_place& last = all.warps[(group + 1) * warps - 1];
      for (std::uint32_t i = all.warps[group * warps].first; i < last.first + last.lanes; ++i) {
        here.passed[i / 64] |= std::uint64_t{1} << (i % 64);
      }
    }
  }
  if (!more_pass) return;
  for (const std::uint32_t n : here.nodes) queue(n);
}

void reach_without::follow_some(std::uint32_t n, std::span<const std::uint64_t> lanes,
                                phases since) {
  if (std::ranges::all_of(lanes, [](std::uint64_t word) { return word == 0; })) return;
  assumed_.no_other.push_back(nodes_[n].at);
  std::vector<continuation> next;
  machine_.program().for_each_given(nodes_[n].at,
                                    [&](std::uint64_t, continuation to) { next.push_back(to); });
  work_ += static_cast<std::uint32_t>(next.size());
  for (const continuation to : next) lead_some(n, node_at(to, since), lanes);
}

void reach_without::visit_access(std::uint32_t n) {
  const continuation at = nodes_[n].at;
  if (nodes_[n].place == none) {
    const operation_traits t = machine_.lanes().traits(at);
    const std::uint32_t p = place_of(t.offset, t.size);
    nodes_[n].place = p;
    nodes_[n].form = form_of(n, places_[p]);
    places_[p].forms[nodes_[n].form].users.push_back(n);
    const detail::memory_kind how = machine_.program().at(at).memory;
    if (how == detail::memory_kind::pool_take) forget_values(p);
    if (how == detail::memory_kind::copy_claim || how == detail::memory_kind::copy_post)
      forget_desk(t.offset);
  }
  if (may_be_told_of_the_end(n)) answer(n, detail::all_have_ended);
  const std::uint32_t p = nodes_[n].place;
  if (!places_[p].is_any) {
    if (places_[p].forms[nodes_[n].form].changes) add_updating(places_[p], n);
    follow_values(p);
  }
  if (places_[p].is_any) {
    if (nodes_[n].only_waits || nodes_[n].commutes) is_over_ = true;
    return follow_all(n);
  }
  const access_form& form = places_[p].forms[nodes_[n].form];
  // The run ends here if the access comes before the one of the standing lane.
  if (places_[p].starts_unwritten && form.needs_value &&
      (nodes_[n].only_waits || nodes_[n].commutes)) {
    is_over_ = true;
    return;
  }
  // The node may have got these answers before its conflict was known.
  if (nodes_[n].only_waits) nodes_[n].done = 0;
  if (nodes_[n].commutes && !commutes_by_values(n, form)) {
    nodes_[n].commutes = false;
    if (!nodes_[n].only_waits) is_over_ = true;
  }
  const auto goes_on = [&] {
    if (nodes_[n].only_waits && !nodes_[n].commutes) is_over_ = true;
    nodes_[n].only_waits = false;
  };
  while (!is_over_ && nodes_[n].done < form.told.size()) {
    const auto [told, changes] = form.told[nodes_[n].done++];
    if (++work_ > work_limit_) is_over_ = true;
    const auto to = given(at, told);
    if (!to) {
      // A lane that waits for this step would never contradict the assumption. It is left out
      // because of this answer, so it would never be given the value from before the step.
      goes_on();
      assumed_.never.emplace_back(at, told);
      continue;
    }
    if (changes || (*to != at && (!nodes_[n].only_waits || !are_alike(at, *to, most_steps_alike))))
      goes_on();
    const std::uint32_t behind = lead(n, *to);
    if (form.is_update && changes) {
      auto& changed = nodes_[n].changed;
      if (std::ranges::find(changed, behind) == changed.end()) changed.push_back(behind);
    }
  }
}

// Whether the node has an agent (simt/detail/agent.hpp) that asks whether all threads of its block
// have ended, and they have. (If one of them ends later, that end counts like the agent's.)
bool reach_without::may_be_told_of_the_end(std::uint32_t n) {
  const operation& op = machine_.program().at(nodes_[n].at);
  if (op.memory != detail::memory_kind::load || op.compare != detail::asks_for_the_end)
    return false;
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  for (std::uint32_t block = 0; block < machine_.setup().grid.blocks; ++block) {
    const auto all = state_.subspan(std::size_t{block} * threads, threads);
    if (has_lane_of(n, block) && std::ranges::count(all, exited) >= threads - 1) return true;
  }
  return false;
}

// Only the place in the code may differ: of a loop's first round, or of code that a compiler has
// doubled. Where lanes meet, the place has a meaning.
bool reach_without::are_alike(continuation a, continuation b, unsigned most_steps) {
  if (a == b) return true;
  if (most_steps == 0 || is_over_) return false;
  lane_automaton& program = machine_.program();
  operation one = program.at(a), other = program.at(b);
  if (one.kind != operation_kind::barrier && one.kind != operation_kind::collective) {
    for (operation* const each : {&one, &other}) each->pc = each->block = 0;
  }
  if (std::memcmp(&one, &other, sizeof one) != 0) return false;
  std::vector<std::uint64_t> told;
  for (const continuation each : {a, b}) {
    program.for_each_given(each,
                           [&](std::uint64_t answer, continuation) { told.push_back(answer); });
    assumed_.no_other.push_back(each);
  }
  work_ += static_cast<std::uint32_t>(told.size());
  if (work_ > work_limit_) is_over_ = true;
  return std::ranges::all_of(told, [&](std::uint64_t answer) {
    return are_alike(program.outcome(a, answer), program.outcome(b, answer), most_steps - 1);
  });
}

std::uint32_t reach_without::form_of(std::uint32_t n, location& where) {
  const lane_automaton& program = machine_.program();
  const operation& op = program.at(nodes_[n].at);
  const bool is_compared = lane_ != none && may_commute(n);
  const auto i = static_cast<std::uint32_t>(where.forms.size());
  const auto [known, is_new] = where.form_of.try_emplace(
      {static_cast<std::uint32_t>(op.memory) << 1 | (is_compared ? 1U : 0U), op.operand,
       op.compare},
      i);
  if (!is_new) return known->second;
  where.open_forms.push_back(i);
  access_form& made = where.forms.emplace_back();
  made.like = nodes_[n].at;
  made.is_store = op.memory == detail::memory_kind::store;
  made.is_update = op.writes() && !made.is_store;
  made.needs_value = machine_.lanes().traits(nodes_[n].at).needs_value;
  made.is_compared = is_compared;
  return i;
}

void reach_without::follow_values(std::uint32_t p) {
  for (bool more = true; more && !is_over_;) {
    more = false;
    // Following a value adds no form.
    for (const std::uint32_t f : places_[p].open_forms) {
      access_form& form = places_[p].forms[f];
      while (!places_[p].is_any && !is_over_ && form.next < places_[p].values.size()) {
        follow_value(p, form, form.next++);
        more = true;
      }
    }
    std::erase_if(places_[p].open_forms, [&](std::uint32_t f) {
      const access_form& form = places_[p].forms[f];
      // A store that was seen to change a value and to keep one has shown all that it does.
      return form.is_store && !form.is_compared && form.told.size() == 2;
    });
  }
}

void reach_without::follow_value(std::uint32_t p, access_form& form, std::uint32_t index) {
  location& where = places_[p];
  if (++work_ > work_limit_) is_over_ = true;
  if (where.is_unwritten && index == 0 && form.needs_value) return;
  const operation& op = machine_.program().at(form.like);
  const std::uint64_t old = where.values[index];
  const std::uint64_t now = simt::apply(op, old);
  const std::uint32_t before = where.updates[index];
  if (form.is_update && now != old) {
    form.changes = true;
    for (const std::uint32_t user : form.users) add_updating(where, user);
    if (before >= most_updates(where)) {
      where.is_bounded = true;
      form.kept_away = std::min(form.kept_away, index);
      return;
    }
  }
  const std::uint64_t read = simt::answer(op, old);
  const std::size_t known = form.told.size() + form.either_told.size() + form.standing_told.size();
  const bool did_conflict = form.conflicts;
  const auto tell = [&](std::uint64_t answer) {
    const std::pair<std::uint64_t, bool> told(answer, now != old);
    const bool is_alone = !form.is_store && answer == old;  // old values differ, so this is new
    if (is_alone || std::ranges::find(form.told, told) == form.told.end())
      form.told.push_back(told);
  };
  if (index >= form.is_told.size()) form.is_told.resize(where.values.size(), 0);
  if (std::exchange(form.is_told[index], 1) == 0) {
    tell(read);
    if (tells_marks(op)) tell(read | marked);
    for (std::uint32_t number = 1; numbers_copy(op) && number <= detail::most_viewing_copies;
         ++number) {
      if (!is_in_use(op, number)) tell(number);
    }
  }
  if (form.is_compared) compare_orders(form, op, old);
  if (form.told.size() + form.either_told.size() + form.standing_told.size() != known ||
      form.conflicts != did_conflict) {
    for (const std::uint32_t user : form.users) queue(user);
  }
  const bool writes_first = where.is_unwritten && index == 0 && op.writes();
  if (now != old || writes_first) add_value(p, now, form.is_update ? before + 1 : 0);
}

void reach_without::compare_orders(access_form& form, const operation& op, std::uint64_t old) {
  const operation& standing = machine_.program().at(state_[lane_]);
  const std::uint64_t after_standing = simt::apply(standing, old);
  const std::uint64_t after_other = simt::apply(op, old);
  if (simt::apply(op, after_standing) != simt::apply(standing, after_other)) form.conflicts = true;
  const auto keep = [](auto& all, std::uint64_t told, std::uint64_t otherwise) {
    const std::pair both(told, otherwise);
    if (told != otherwise && std::ranges::find(all, both) == all.end()) all.push_back(both);
  };
  keep(form.standing_told, simt::answer(standing, old), simt::answer(standing, after_other));
  keep(form.either_told, simt::answer(op, old), simt::answer(op, after_standing));
}

void reach_without::add_updating(location& where, std::uint32_t n) {
  if (std::ranges::find(where.updates_at, n) == where.updates_at.end()) {
    where.updates_at.push_back(n);
  }
  bool grows = false;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t more = lanes_of(n)[w] & ~where.updating[w];
    grows = grows || more != 0;
    where.updating[w] |= more;
  }
  if (grows) allow_more_updates(where);
}

void reach_without::allow_more_updates(location& where) {
  for (access_form& form : where.forms) {
    form.next = std::min(form.next, std::exchange(form.kept_away, none));
  }
}

std::uint32_t reach_without::most_updates(const location& where) const {
  if (where.updates_each == none) return none;
  std::uint32_t lanes = 0;
  for (const std::uint64_t word : where.updating) {
    lanes += static_cast<std::uint32_t>(std::popcount(word));
  }
  return lanes * where.updates_each;
}

bool reach_without::updates_are_as_taken() {
  bool are = true;
  for (std::uint32_t p = 0; p < place_count_; ++p) {
    location& where = places_[p];
    if (where.is_any || !where.is_bounded || where.updates_each == none) continue;
    const std::uint32_t each = longest_updates(where);
    if (each <= where.updates_each) continue;
    are = false;
    where.updates_each = each;
    allow_more_updates(where);
    follow_values(p);
  }
  return are;
}

std::uint32_t reach_without::longest_updates(const location& where) {
  const components parts = components_of(count_, [&](std::uint32_t n, auto f) {
    for (const std::uint32_t to : nodes_[n].to) f(to);
    for (const std::uint32_t to : nodes_[n].parts) f(to);
  });
  std::vector<char> updates(count_, 0);
  for (const std::uint32_t n : where.updates_at) updates[n] = 1;
  // By component: the most updates on a path from there.
  std::vector<std::uint32_t> most(parts.count, 0);
  for (const std::uint32_t n : parts.order) {
    std::uint32_t& here = most[parts.of[n]];
    for (const auto* const list : {&nodes_[n].to, &nodes_[n].parts}) {
      for (const std::uint32_t to : *list) here = std::max(here, most[parts.of[to]]);
    }
    if (updates[n] == 0) continue;
    here = std::max(here, 1U);  // also if the bound keeps away all values that it would change
    for (const std::uint32_t to : nodes_[n].changed) {
      if (parts.of[to] == parts.of[n]) return none;
      here = std::max(here, 1 + most[parts.of[to]]);
    }
  }
  work_ += static_cast<std::uint32_t>(count_ / 4);
  return *std::ranges::max_element(most);
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
  here.is_any = is_cut || is_on_desk(offset);
  here.starts_unwritten = false;
  here.started = 0;
  here.values.clear();
  here.index_of.clear();
  here.forms.clear();
  here.form_of.clear();
  here.open_forms.clear();
  here.updates_at.clear();
  here.updating.assign(words_, 0);
  here.updates_each = 1;
  here.is_bounded = false;
  if (!here.is_any) {
    list_values(offset, size, here.values);
    here.started = static_cast<std::uint32_t>(here.values.size());
    const written_marks marks = machine_.setup().memory->marks_at(offset, size);
    here.starts_unwritten = here.started == 1 && !marks.any_in(machine_.image(state_));
  }
  here.is_unwritten = here.starts_unwritten;
  for (std::uint32_t i = 0; i < here.values.size(); ++i) here.index_of.emplace(here.values[i], i);
  here.updates.assign(here.values.size(), 0);
  return made;
}

void reach_without::add_value(std::uint32_t p, std::uint64_t value, std::uint32_t updates) {
  location& to = places_[p];
  if (to.is_any) return;
  const auto [known, is_new] =
      to.index_of.try_emplace(value, static_cast<std::uint32_t>(to.values.size()));
  if (is_new) {
    if (to.values.size() == value_limit) return forget_values(p);
    to.values.push_back(value);
    to.updates.push_back(updates);
    return;
  }
  const bool is_written = to.is_unwritten && known->second == 0;  // with the value from before
  if (is_written) to.is_unwritten = false;
  std::uint32_t& fewest = to.updates[known->second];
  if (updates >= fewest && !is_written) return;
  fewest = std::min(fewest, updates);
  for (const std::uint32_t f : to.open_forms) {
    to.forms[f].next = std::min(to.forms[f].next, known->second);
  }
}

void reach_without::forget_values(std::uint32_t p) {
  places_[p].is_any = true;
  for (const access_form& form : places_[p].forms) {
    for (const std::uint32_t user : form.users) queue(user);
  }
}

// Lanes write a copy down where they hand it over (sc_memory.cpp): these values are not followed.
void reach_without::forget_desk(std::uint32_t offset) {
  if (std::ranges::find(desks_, offset) != desks_.end()) return;
  desks_.push_back(offset);
  for (std::uint32_t p = 0; p < place_count_; ++p) {
    if (is_on_desk(places_[p].offset)) forget_values(p);
  }
}

bool reach_without::is_on_desk(std::uint32_t offset) const {
  return std::ranges::any_of(
      desks_, [&](std::uint32_t desk) { return offset > desk && offset < desk + desk_bytes; });
}

// Whether some lanes at this node stand at an access that conflicts with the access of the standing
// lane.
bool reach_without::conflicts(std::uint32_t n) {
  if (lane_ == none) return false;
  const continuation c = nodes_[n].at;
  const operation_traits t = machine_.lanes().traits(c);
  if (t.what == operation_traits::kind::exited)
    return needed_block_ != none && has_lane_of(n, needed_block_);
  if (t.what != operation_traits::kind::access) return false;
  if (only_beyond_warp_) {
    bool beyond = false;
    for (std::size_t w = 0; w < words_; ++w) {
      beyond = beyond || (lanes_of(n)[w] & ~same_warp_[w]) != 0;
    }
    if (!beyond) return false;
  }
  return uses_.may_not_commute(state_[lane_], c);
}

bool reach_without::has_lane_of(std::uint32_t n, std::uint32_t block) {
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = lanes_of(n)[w]; rest != 0; rest &= rest - 1) {
      const std::size_t lane = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      if (machine_.places().lanes[lane].block == block) return true;
    }
  }
  return false;
}

// Whether the lanes may only wait for the access of the standing lane. Such a lane comes back to
// where it was, or to a place that is alike, until that access is made. These steps can be left out
// of a run, so their order does not matter.
bool reach_without::may_only_wait(std::uint32_t n) {
  const operation_traits standing = machine_.lanes().traits(state_[lane_]);
  const operation_traits t = machine_.lanes().traits(nodes_[n].at);
  return waits_are_none_ && !t.suspicious && t.offset == standing.offset && t.size == standing.size;
}

// Whether values decide about the conflict. Only where memory is an image: elsewhere, an order of
// updates is also an order of messages.
bool reach_without::may_commute(std::uint32_t n) {
  if (!machine_.traits_of_memory().is_image) return false;
  const continuation standing = state_[lane_], c = nodes_[n].at;
  const operation_traits a = machine_.lanes().traits(standing), b = machine_.lanes().traits(c);
  if (a.what != b.what || a.offset != b.offset || a.size != b.size) return false;
  for (const continuation each : {standing, c}) {
    const operation& op = machine_.program().at(each);
    const bool depends = op.memory != detail::memory_kind::store;
    // A race is a race for all values, and marks are no values.
    if (!depends || tells_marks(op) || machine_.lanes().traits(each).suspicious ||
        uses_.concerns_nodes(each))
      return false;
  }
  return true;
}

bool reach_without::commutes_by_values(std::uint32_t n, const access_form& form) {
  const auto lead_alike = [&](continuation at, const auto& all) {
    return std::ranges::all_of(all, [&](const auto& both) {
      const auto to = given(at, both.first);
      return to && to == given(at, both.second);
    });
  };
  return !form.conflicts && lead_alike(state_[lane_], form.standing_told) &&
         lead_alike(nodes_[n].at, form.either_told);
}

}  // namespace simt
