// Single lanes: what their operations are, where answers lead them, and what they ask about
// themselves.
//
// Models: nothing of its own. The lane automaton runs device code; machine_memory decides what
// memory does.
#include "sim/machine/lane_steps.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <simt/detail/agent.hpp>
#include <simt/detail/mbarrier_word.hpp>

#include "sim/lane/operation_table.hpp"
#include "sim/machine/choice.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/reduce/symmetry.hpp"

namespace simt {

std::uint64_t answer_from(const std::vector<assigned_operation>& list, const operation& op,
                          bool for_ever) {
  if (op.count == detail::next_assignment) {
    return for_ever && op.number + 1 >= list.size() ? 0 : op.number + 1;
  }
  if (op.number >= list.size()) return detail::no_operation;
  const assigned_operation& one = list[op.number];
  return op.count == 0 ? one.operation : static_cast<std::uint64_t>(one.arguments[op.count - 1]);
}

bool lane_steps::is_symmetric() const { return of_.moves != nullptr && of_.moves->on(); }

namespace {

mbarrier_use mbarrier_use_of(const operation& op) {
  using enum detail::memory_kind;
  switch (op.memory) {
    case detail::memory_kind::mbarrier:
    case proxy_fence: return mbarrier_use::of_life;
    case async_load: return op.size == 8 ? mbarrier_use::of_life : mbarrier_use::none;
    case load: return op.operand != 0 ? mbarrier_use::of_life : mbarrier_use::none;
    case store:
      if (op.compare == detail::mbarrier_begins) return mbarrier_use::begins;
      return op.compare == detail::mbarrier_ends ? mbarrier_use::ends : mbarrier_use::none;
    default: return mbarrier_use::none;
  }
}

}  // namespace

operation_traits lane_steps::traits_of(const operation& op) const {
  operation_traits t;
  using kind = operation_traits::kind;
  t.what = row_of(op.kind).step;
  const bool sees_events = of_.setup.monitor != nullptr || of_.memory.traits().orders_events;
  if (t.what == kind::event && !sees_events) t.what = kind::silent;
  if (t.what != kind::access) return t;

  const allocation* a = of_.setup.memory->find(op.address, op.size);
  if (a == nullptr || op.address % op.size != 0) {
    t.what = kind::bad_access;
    return t;
  }
  t.size = op.size;
  t.writes = op.writes() && op.memory != detail::memory_kind::async_load &&
             op.memory != detail::memory_kind::copy_view;
  t.offset = static_cast<std::uint32_t>(a->offset + (op.address - a->address));
  t.block = a->block;
  t.needs_value = row_of(op.memory).needs_value;
  // A load may read bytes that nobody has written, next to others.
  const std::uint32_t whole = std::max<std::uint32_t>(t.size, op.count);
  t.written =
      of_.setup.memory->marks_at(t.offset - t.offset % whole, static_cast<std::uint8_t>(whole));
  t.mbarrier = of_.setup.memory->mbarrier_mark_at(t.offset);
  t.use_of_mbarrier = mbarrier_use_of(op);
  if (op.memory == detail::memory_kind::pool_retire) {
    t.node = of_.setup.memory->node_of_word(op.address, op.operand);
    if (t.node == no_node) t.what = kind::bad_access;
  } else if (t.node = of_.setup.memory->node_at(op.address); t.node != no_node) {
    const device_pool& pool = of_.setup.memory->pool_of(t.node);
    if (!pool.guarded && t.node != pool.first) t.node = no_node;
  }
  // Where a cluster is a single block, no other block can access that block's shared memory. No
  // block outside of its cluster ever can.
  const grid_shape& grid = of_.setup.grid;
  const bool is_shared = t.block != no_block;
  t.in_scope = op.scope == thread_scope_block ? grid.blocks == 1 || (is_shared && grid.cluster == 1)
               : op.scope == thread_scope_cluster ? grid.blocks == grid.cluster || is_shared
                                                  : op.scope != thread_scope_thread;
  t.suspicious = op.weak || !t.in_scope;
  return t;
}

void lane_steps::learn_traits(continuation c) {
  bool news = false;
  const bool learns = !of_.news.is_cut();
  const bool has_lockstep = has_stacks() && of_.places.lanes.size() > of_.places.warps.size();
  while (traits_.size() <= c) {
    const operation& op = of_.stores.program.at(static_cast<continuation>(traits_.size()));
    const operation_traits t = traits_of(op);
    if (t.what == operation_traits::kind::access && !touches_no_value(op)) {
      has_suspicious_ = has_suspicious_ || t.suspicious;
      // Accesses that overlap without covering the same bytes are never morally strong.
      for (auto near = access_sizes_.lower_bound(t.offset < 8 ? 0 : t.offset - 8);
           near != access_sizes_.end() && near->first < t.offset + t.size; ++near) {
        const bool overlaps = near->first + near->second > t.offset;
        if (overlaps && (near->first != t.offset || near->second != t.size))
          has_mixed_sizes_ = true;
      }
      auto& largest = access_sizes_[t.offset];
      largest = std::max(largest, t.size);
    }
    orders_memory_ = orders_memory_ || of_.memory.orders(op);
    if (learns) {
      news = of_.memory.learn_operation({op, t, has_lockstep, has_mixed_sizes_, of_.runs_ahead}) ||
             news;
      news = learn_symmetry(op) || news;
    }
    traits_.push_back(t);
  }
  if (news) of_.news.record();
}

// Operations that other machines of the run have met may come with a state.
void lane_steps::catch_up() {
  if (const std::size_t met = of_.stores.program.size(); traits_.size() < met) {
    learn_traits(static_cast<continuation>(met - 1));
  }
}

// Learns which operations name warps, blocks or lanes: docs/reductions.md, "Symmetry".
bool lane_steps::learn_symmetry(const operation& op) {
  if (!is_symmetric()) return false;
  switch (op.kind) {
    case operation_kind::barrier:
      if (is_half(op.barrier)) return of_.moves->fix_all();
      return is_joint(op.barrier) ? of_.moves->keep_warps() : of_.moves->fix_blocks();
    case operation_kind::collective: {
      using detail::collective_kind;
      if (has_stacks() && op.collective == collective_kind::syncwarp) return false;
      const bool names_lanes =
          !of_.places.are_covered_by(op.mask) || row_of(op.collective).names_lanes;
      return names_lanes ? of_.moves->fix_lanes() : of_.moves->keep_warps();
    }
    case operation_kind::memory:
    case operation_kind::fence:
      return op.scope == thread_scope_block && of_.setup.grid.blocks > 1 && of_.moves->keep_warps();
    default: return false;
  }
}

// The continuation of a lane that has asked about its own place. Asks all lanes: lanes that go on
// differently have different roles.
continuation lane_steps::local_next(std::uint32_t lane, continuation c) {
  if (!is_symmetric()) return this->next(c, local_answer(lane, of_.stores.program.at(c)));
  learn_local(c);
  if (c >= local_next_.size() || local_next_[c].empty()) return c;  // the list is cut
  const continuation next = local_next_[c][lane];
  if (of_.stores.program.at(next).kind == operation_kind::fault) {
    return this->next(c, local_answer(lane, of_.stores.program.at(c)));  // throws
  }
  return next;
}

void lane_steps::learn_local(continuation c) {
  if (of_.news.is_cut() || (c < local_next_.size() && !local_next_[c].empty())) return;
  std::vector<continuation> next(of_.places.lanes.size());
  const std::lock_guard lock(of_.stores.lanes_lock);
  for (std::uint32_t l = 0; l < next.size(); ++l) {
    next[l] = of_.stores.program.outcome(c, local_answer(l, of_.stores.program.at(c)));
  }
  if (!is_symmetric()) return;
  if (of_.moves->tell_apart(next)) {
    if (of_.memory.traits().learns_facts) of_.setup.facts->forget_uses();
    return of_.news.record();
  }
  if (c >= local_next_.size()) local_next_.resize(c + 1);
  local_next_[c] = std::move(next);
}

std::optional<continuation> lane_steps::known_local(std::uint32_t lane, continuation c) const {
  if (!is_symmetric()) {
    const std::lock_guard lock(of_.stores.lanes_lock);
    return of_.stores.program.known(c, local_answer(lane, of_.stores.program.at(c)));
  }
  if (c >= local_next_.size() || local_next_[c].empty()) return std::nullopt;
  return local_next_[c][lane];
}

std::uint64_t lane_steps::assignment_of(std::uint32_t lane, const operation& op) const {
  return of_.setup.assigned == nullptr
             ? detail::no_operation
             : answer_from(of_.setup.assigned->of_lane[lane], op, of_.setup.assigned->for_ever);
}

std::uint64_t lane_steps::local_answer(std::uint32_t lane, const operation& op) const {
  const place& at = of_.places.lanes[lane];
  const warp_place& warp = of_.places.warps[at.warp];
  const grid_shape& grid = of_.setup.grid;
  if (op.kind == operation_kind::point) return 0;
  if (op.kind == operation_kind::assignment) return assignment_of(lane, op);
  if (op.kind == operation_kind::shared)
    return of_.setup.memory->shared_address(op.number, at.block);
  using detail::index_kind;
  switch (static_cast<index_kind>(op.number)) {
    case index_kind::lane: return at.index;
    case index_kind::warp: return at.warp % grid.warps();
    case index_kind::block: return at.block;
    case index_kind::thread_rank: return lane - at.block * grid.agents();
    case index_kind::warp_size: return warp.lanes;
    case index_kind::warp_count: return grid.warps() - grid.agents();
    case index_kind::block_size: return grid.block_threads() - grid.agents();
    case index_kind::block_count: return grid.blocks;
    case index_kind::grid_size: return grid.own_threads();
    case index_kind::cluster_rank: return at.block % grid.cluster;
    case index_kind::cluster_size: return grid.cluster;
    case index_kind::copies:
      return grid.is_agent(at.warp) ? detail::is_the_agent : grid.copies ? detail::has_an_agent : 0;
  }
  return 0;
}

continuation lane_steps::settle(std::uint32_t lane, continuation c) {
  const bool at_branches = of_.setup.model.reconvergence == reconvergence::its;
  round_watch<continuation> rounds;
  for (int i = 1; i <= local_limit; ++i) {
    if (i % moves_in_time == 0) of_.stores.program.give_up_in_time();
    const auto what = traits(c).what;
    const continuation before = c;
    if (what != operation_traits::kind::local &&
        !(what == operation_traits::kind::branch && at_branches)) {
      return c;
    }
    c = pass(lane, c);
    if (c == before && of_.news.is_cut()) return c;
    if (rounds.comes_again(c)) return endless(lane, c);
  }
  throw lane_runaway(
      lane_runaway::cause::silent_loop,
      fmt::format("{} runs on without any visible operation", lane_name(lane, of_.setup.grid)),
      of_.stores.program.at(c).pc);
}

// Chooses one continuation of the cycle, whichever one the lane entered at.
continuation lane_steps::endless(std::uint32_t lane, continuation c) {
  std::optional<continuation> least;
  continuation at = c;
  do {
    if (takes_no_step(of_.stores.program.at(at))) least = std::min(at, least.value_or(at));
    at = pass(lane, at);
    if (of_.news.is_cut()) return c;
  } while (at != c);
  if (least) return next(*least, goes_round);
  throw lane_runaway(
      lane_runaway::cause::silent_loop,
      fmt::format("{} asks for ever what it is to do", lane_name(lane, of_.setup.grid)),
      of_.stores.program.at(c).pc);
}

continuation lane_steps::next(continuation from, std::uint64_t answer) {
  const step_key key{answer, from};
  if (const auto found = next_cache_.find(key); found != next_cache_.end()) return found->second;
  if (of_.news.is_cut()) return from;
  continuation result = 0;
  {
    const std::lock_guard lock(of_.stores.lanes_lock);
    result = of_.stores.program.next(from, answer);
  }
  next_cache_.emplace(key, result);
  return result;
}

// The result of an access where memory is its image. It depends on the continuation and the memory
// only.
std::uint64_t lane_steps::device_access(continuation c, std::uint32_t memory) {
  outcomes_.clear();
  of_.memory.list({0, of_.stores.program.at(c), traits(c), memory, {}}, outcomes_);
  const memory_outcome only = outcomes_.front();
  return std::uint64_t{next(c, only.answer)} << 32 | only.memory;
}

lane_steps::access_result lane_steps::carry_out(std::uint32_t lane, continuation c,
                                                std::uint32_t memory) {
  std::uint64_t value = 0;
  if (memory < row_length) {
    if (c >= access_rows_.size()) access_rows_.resize(c + 1);
    if (memory >= access_rows_[c].size()) {
      access_rows_[c].resize(std::min(row_length, 2 * memory + 8), 0);
    }
    if (access_rows_[c][memory] == 0) access_rows_[c][memory] = device_access(c, memory) + 1;
    value = access_rows_[c][memory] - 1;
  } else {
    if (recent_.empty()) recent_.resize(std::size_t{1} << recent_bits);
    const std::uint32_t mixed = (memory * 0x9e3779b1U) ^ (c * 0x85ebca6bU);
    recent_access& r = recent_[mixed >> (32 - recent_bits)];
    if (r.from != c || r.memory != memory) r = {c, memory, device_access(c, memory)};
    value = r.value;
  }
  // Operations that take no step depend on the lane, so they are passed afterwards.
  const auto next = static_cast<continuation>(value >> 32);
  const auto what = traits(next).what;
  const bool rests =
      what != operation_traits::kind::local && what != operation_traits::kind::branch;
  return {rests ? next : settle(lane, next), static_cast<std::uint32_t>(value), next};
}

// Points belong to the step before them, whatever branches lie between. Under `stack`, the lane may
// stop at such a branch and go on later.
std::uint32_t lane_steps::count_points(std::uint32_t lane, continuation c,
                                       std::vector<operation>* which) {
  const std::uint64_t key = std::uint64_t{lane} << 32 | c;
  if (which == nullptr) {
    const auto known = points_.find(key);
    if (known != points_.end()) return known->second;
  }
  std::uint32_t count = 0;
  round_watch<continuation> rounds;
  for (int i = 1; i <= local_limit && !rounds.comes_again(c); ++i) {
    if (i % moves_in_time == 0) of_.stores.program.give_up_in_time();
    const auto what = traits(c).what;
    if (of_.news.is_cut()) return 0;
    if (what != operation_traits::kind::branch && what != operation_traits::kind::local) break;
    const operation op = of_.stores.program.at(c);
    if (op.kind == operation_kind::point && op.count != 0) {
      ++count;
      if (which != nullptr) which->push_back(op);
    }
    c = pass(lane, c);
  }
  if (which == nullptr) points_.emplace(key, count);
  return count;
}

bool lane_steps::is_client(std::uint32_t lane) const {
  const place& at = of_.places.lanes[lane];
  if (of_.setup.assigned != nullptr) return !of_.setup.assigned->of_lane[lane].empty();
  switch (of_.setup.clients) {
    case clients::lane: return true;
    case clients::warp: return at.index == 0;
    case clients::block: return at.index == 0 && at.warp % of_.setup.grid.warps() == 0;
  }
  return true;
}

void lane_steps::forget() {
  traits_.clear();
  next_cache_.clear();
  access_rows_.clear();
  recent_.clear();
  points_.clear();
}

std::size_t lane_steps::memory() const {
  return next_cache_.bucket_count() * (sizeof(step_key) + sizeof(continuation) + 1) +
         access_rows_.size() * (sizeof(access_rows_[0]) + row_length) +
         recent_.size() * sizeof(recent_access) + traits_.capacity() * sizeof(operation_traits);
}

}  // namespace simt
