// What both reconvergence models share: steps of single lanes, residence of blocks, units of
// fairness, and the interning of parts of a state.
//
// Models: blocks dispatched into a limited number of places. machine_memory decides what memory
// does. Does not model: more than one GPU; caches.
#include "sim/machine/machine.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <simt/detail/agent.hpp>
#include <simt/detail/mbarrier_word.hpp>

#include "sim/machine/promises/early_stores.hpp"
#include "sim/machine/reduce/reach_without.hpp"

namespace simt {
namespace {

std::uint64_t answer_from(const std::vector<assigned_operation>& list, const operation& op,
                          bool for_ever) {
  if (op.count == detail::next_assignment) {
    return for_ever && op.number + 1 >= list.size() ? 0 : op.number + 1;
  }
  if (op.number >= list.size()) return detail::no_operation;
  const assigned_operation& one = list[op.number];
  return op.count == 0 ? one.operation : static_cast<std::uint64_t>(one.arguments[op.count - 1]);
}

/// The number of `value`; gives it the next number if it has none.
template <class T>
std::uint32_t number_of(const T& value, std::map<T, std::uint32_t>& numbers,
                        stable_vector<const T*>& values) {
  const auto [at, is_new] = numbers.try_emplace(value, static_cast<std::uint32_t>(values.size()));
  if (is_new) values.push_back(&at->first);
  return at->second;
}

}  // namespace

std::uint32_t warp_stacks::intern(const warp_stack& stack) {
  const std::lock_guard lock(changing_);
  return number_of(stack, numbers_, values_);
}

std::uint32_t grid_statuses::intern(const grid_status& status) {
  const std::lock_guard lock(changing_);
  return number_of(status, numbers_, values_);
}

machine::~machine() = default;

machine::machine(machine_setup setup, machine_stores& stores, std::size_t words,
                 machine_reductions reduce)
    : setup_(std::move(setup)),
      stores_(stores),
      began_(stores.program.news().count()),
      began_cuts_(stores.program.news().cuts()),
      heeded_(began_cuts_),
      addresses_(*setup_.memory, *setup_.library),
      places_(setup_.grid),
      words_(words),
      symmetry_(reduce.moves),
      renaming_(reduce.renames),
      footprints_(reduce.reaches),
      trusts_lockstep_(has_stacks() && reduce.trust_lockstep) {
  stores_.program.refine();
  if (footprints_ != nullptr) {
    others_.emplace(places_, *footprints_, [this](continuation c) { return access_of(c); });
    const bool meet = setup_.facts != nullptr && !setup_.facts->now().mbarriers.empty();
    const std::size_t few_lanes = meet ? fewest_lanes_to_ask_at_mbarriers : fewest_lanes_to_ask;
    if (reduce.asks_in_small_grids || places_.lanes.size() >= few_lanes) {
      without_ = std::make_unique<reach_without>(*this);
    }
  }
  all_resident_ = setup_.model.resident == 0 || setup_.model.resident >= setup_.grid.blocks;
  if (setup_.grid.blocks == 1 && owes_some_blocks()) setup_.progress = progress::fair;
  remembers_steps_ = owes_some_blocks() && owes() != progress::hsa;
  memory_ = make_memory(setup_, places_, stores_.images);
  early_ = make_early_stores(*this, *memory_);
  if (!is_symmetric()) return;
  if (!all_resident_ || owes_some_blocks()) symmetry_->fix_blocks();
  std::vector<std::uint32_t> clients;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    clients.push_back(is_client(lane) ? 1 : 0);
  }
  symmetry_->tell_apart(clients);
}

std::optional<others_reach::access> machine::access_of(continuation c) {
  const operation_traits t = traits(c);
  if (t.what != operation_traits::kind::access) return std::nullopt;
  return others_reach::access{t.offset, t.size, use_of(c, t)};
}

void machine::begin_again() {
  if (has_news()) go_on_after_news();
  began_ = stores_.program.news().count();
  began_cuts_ = heeded_;
}

void machine::go_on_after_news() {
  // These caches rest on lists that were cut short.
  traits_.clear();
  next_cache_.clear();
  access_rows_.clear();
  recent_.clear();
  points_cache_.clear();
  event_cache_.clear();
  after_update_.clear();
  host_steps_.clear();
  if (without_ != nullptr) without_ = std::make_unique<reach_without>(*this);
  heed_cuts(false);
}

void machine::steps_by(state_view state, const choice& by, successor_list& out) {
  // Whether a promise can be made, and kept, depends on what other lanes may do.
  const bool is_apart = memory_->is_settled() && !memory_->makes_promises() && !has_promises(state);
  struct back_to_all {
    std::uint32_t& only;
    ~back_to_all() { only = every_lane; }
  } const back{only_};
  if (by.what == choice::kind::lane && is_apart) only_ = by.unit;
  steps(state, out);
}

void machine::successors(state_view state, successor_list& out) {
  catch_up();
  distinct_steps(state, out);
  if (!is_reduced()) return;
  for (transition& t : out.transitions) {
    if (t.ends != ending::none || t.stays) continue;
    if (is_cut()) return;
    const auto words = out.state(t, words_);
    look_at_time(words_);
    t.ahead = run_ahead(words, nullptr);
    change_places(words);
  }
}

// --- lanes ---

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

operation_traits machine::traits_of(const operation& op) const {
  operation_traits t;
  using kind = operation_traits::kind;
  t.what = row_of(op.kind).step;
  const bool sees_events = setup_.monitor != nullptr || memory_->traits().orders_events;
  if (t.what == kind::event && !sees_events) t.what = kind::silent;
  if (t.what != kind::access) return t;

  const allocation* a = setup_.memory->find(op.address, op.size);
  if (a == nullptr || op.address % op.size != 0) {
    t.what = kind::bad_access;
    return t;
  }
  t.size = op.size;
  t.writes = op.writes() && op.memory != detail::memory_kind::async_load;
  t.offset = static_cast<std::uint32_t>(a->offset + (op.address - a->address));
  t.block = a->block;
  t.needs_value = row_of(op.memory).needs_value;
  t.written = setup_.memory->marks_at(t.offset, t.size);
  t.mbarrier = setup_.memory->mbarrier_mark_at(t.offset);
  t.use_of_mbarrier = mbarrier_use_of(op);
  if (op.memory == detail::memory_kind::pool_retire) {
    t.node = setup_.memory->node_of_word(op.address, op.operand);
    if (t.node == no_node) t.what = kind::bad_access;
  } else if (t.node = setup_.memory->node_at(op.address); t.node != no_node) {
    const device_pool& pool = setup_.memory->pool_of(t.node);
    if (!pool.guarded && t.node != pool.first) t.node = no_node;
  }
  // Where a cluster is a single block, no other block can access that block's shared memory. No
  // block outside of its cluster ever can.
  const bool is_own = t.block != no_block && setup_.grid.cluster == 1;
  t.suspicious = op.weak || op.scope == thread_scope_thread ||
                 (op.scope == thread_scope_block && setup_.grid.blocks > 1 && !is_own) ||
                 (op.scope == thread_scope_cluster && t.block == no_block &&
                  setup_.grid.blocks > setup_.grid.cluster);
  return t;
}

void machine::learn_traits(continuation c) {
  bool news = false;
  const bool learns = !is_cut();
  while (traits_.size() <= c) {
    const operation& op = stores_.program.at(static_cast<continuation>(traits_.size()));
    const operation_traits t = traits_of(op);
    if (t.what == operation_traits::kind::access) {
      any_suspicious_ = any_suspicious_ || t.suspicious;
      // Accesses that overlap without covering the same bytes are never morally strong.
      for (auto near = access_sizes_.lower_bound(t.offset < 8 ? 0 : t.offset - 8);
           near != access_sizes_.end() && near->first < t.offset + t.size; ++near) {
        const bool overlaps = near->first + near->second > t.offset;
        if (overlaps && (near->first != t.offset || near->second != t.size)) mixed_sizes_ = true;
      }
      auto& largest = access_sizes_[t.offset];
      largest = std::max(largest, t.size);
    }
    orders_memory_ = orders_memory_ || memory_->orders(op);
    if (learns) {
      news =
          memory_->learn_operation({op, t, has_lockstep(), mixed_sizes_, may_run_ahead()}) || news;
      news = learn_symmetry(op) || news;
    }
    traits_.push_back(t);
  }
  if (news) record_news();
}

// Operations that other machines of the run have met may come with a state.
void machine::catch_up() {
  if (const std::size_t met = stores_.program.size(); traits_.size() < met) {
    learn_traits(static_cast<continuation>(met - 1));
  }
}

// Whether a lane that reaches `next` may make the state a barrier divergence, now or later. Only
// asked once such a state was met. The divergence would end the run for all lanes. Under `stack`,
// the lane may take its warp past branches to such a place.
bool machine::may_diverge_at(continuation next) {
  if (!footprints_->has_met_divergence()) return false;
  using kind = operation_traits::kind;
  const kind what = traits(next).what;
  if (what == kind::collective || what == kind::barrier) return true;
  return has_stacks() && (what == kind::branch || what == kind::exited);
}

// Learns which operations name warps, blocks or lanes: docs/reductions.md, "Symmetry".
bool machine::learn_symmetry(const operation& op) {
  if (!is_symmetric()) return false;
  switch (op.kind) {
    case operation_kind::barrier:
      if (is_half(op.barrier)) return symmetry_->fix_all();
      return is_joint(op.barrier) ? symmetry_->keep_warps() : symmetry_->fix_blocks();
    case operation_kind::collective: {
      using detail::collective_kind;
      if (has_stacks() && op.collective == collective_kind::syncwarp) return false;
      const bool names_lanes = !needs_whole_warp(op) || row_of(op.collective).names_lanes;
      return names_lanes ? symmetry_->fix_lanes() : symmetry_->keep_warps();
    }
    case operation_kind::memory:
    case operation_kind::fence:
      return op.scope == thread_scope_block && setup_.grid.blocks > 1 && symmetry_->keep_warps();
    default: return false;
  }
}

// The continuation of a lane that has asked about its own place. Asks all lanes: lanes that go on
// differently have different roles.
continuation machine::local_next(std::uint32_t lane, continuation c) {
  if (!is_symmetric()) return this->next(c, local_answer(lane, stores_.program.at(c)));
  learn_local(c);
  if (c >= local_next_.size() || local_next_[c].empty()) return c;  // the list is cut
  const continuation next = local_next_[c][lane];
  if (stores_.program.at(next).kind == operation_kind::fault) {
    return this->next(c, local_answer(lane, stores_.program.at(c)));  // throws
  }
  return next;
}

void machine::learn_local(continuation c) {
  if (is_cut() || (c < local_next_.size() && !local_next_[c].empty())) return;
  std::vector<continuation> next(places_.lanes.size());
  const std::lock_guard lock(stores_.lanes_lock);
  for (std::uint32_t l = 0; l < next.size(); ++l) {
    next[l] = stores_.program.outcome(c, local_answer(l, stores_.program.at(c)));
  }
  if (!is_symmetric()) return;
  if (symmetry_->tell_apart(next)) {
    if (memory_->traits().learns_facts) setup_.facts->forget_uses();
    return record_news();
  }
  if (c >= local_next_.size()) local_next_.resize(c + 1);
  local_next_[c] = std::move(next);
}

std::optional<continuation> machine::known_local(std::uint32_t lane, continuation c) const {
  if (!is_symmetric()) {
    const std::lock_guard lock(stores_.lanes_lock);
    return stores_.program.known(c, local_answer(lane, stores_.program.at(c)));
  }
  if (c >= local_next_.size() || local_next_[c].empty()) return std::nullopt;
  return local_next_[c][lane];
}

std::uint64_t machine::assignment_of(std::uint32_t lane, const operation& op) const {
  return setup_.assigned == nullptr
             ? detail::no_operation
             : answer_from(setup_.assigned->of_lane[lane], op, setup_.assigned->for_ever);
}

std::uint64_t machine::local_answer(std::uint32_t lane, const operation& op) const {
  const place& at = places_.lanes[lane];
  const warp_place& warp = places_.warps[at.warp];
  const grid_shape& grid = setup_.grid;
  if (op.kind == operation_kind::point) return 0;
  if (op.kind == operation_kind::assignment) return assignment_of(lane, op);
  if (op.kind == operation_kind::shared) return setup_.memory->shared_address(op.number, at.block);
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

continuation machine::settle(std::uint32_t lane, continuation c) {
  const bool at_branches = setup_.model.reconvergence == reconvergence::its;
  round_watch<continuation> rounds;
  for (int i = 1; i <= local_limit; ++i) {
    if (i % moves_in_time == 0) stores_.program.give_up_in_time();
    const auto what = traits(c).what;
    const continuation before = c;
    if (what != operation_traits::kind::local &&
        !(what == operation_traits::kind::branch && at_branches)) {
      return c;
    }
    c = pass(lane, c);
    if (c == before && is_cut()) return c;
    if (rounds.comes_again(c)) return endless(lane, c);
  }
  throw lane_runaway(
      lane_runaway::cause::silent_loop,
      fmt::format("{} runs on without any visible operation", lane_name(lane, setup_.grid)),
      stores_.program.at(c).pc);
}

// Chooses one continuation of the cycle, whichever one the lane entered at.
continuation machine::endless(std::uint32_t lane, continuation c) {
  std::optional<continuation> least;
  continuation at = c;
  do {
    if (takes_no_step(stores_.program.at(at))) least = std::min(at, least.value_or(at));
    at = pass(lane, at);
    if (is_cut()) return c;
  } while (at != c);
  if (least) return next(*least, goes_round);
  throw lane_runaway(lane_runaway::cause::silent_loop,
                     fmt::format("{} asks for ever what it is to do", lane_name(lane, setup_.grid)),
                     stores_.program.at(c).pc);
}

continuation machine::advance(std::uint32_t lane, continuation from, std::uint64_t answer) {
  return settle(lane, next(from, answer));
}

continuation machine::next(continuation from, std::uint64_t answer) {
  const access_key key{answer, from};
  if (const auto found = next_cache_.find(key); found != next_cache_.end()) return found->second;
  if (is_cut()) return from;
  continuation result = 0;
  {
    const std::lock_guard lock(stores_.lanes_lock);
    result = stores_.program.next(from, answer);
  }
  next_cache_.emplace(key, result);
  return result;
}

// The result of an access where memory is its image. It depends on the continuation and the memory
// only.
std::uint64_t machine::device_access(continuation c, std::uint32_t memory) {
  outcomes_.clear();
  memory_->list({0, stores_.program.at(c), traits(c), memory, {}}, outcomes_);
  const memory_outcome only = outcomes_.front();
  return std::uint64_t{next(c, only.answer)} << 32 | only.memory;
}

machine::access_result machine::carry_out(std::uint32_t lane, continuation c,
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

void machine::lane_step(state_view state, std::uint32_t lane, successor_list& out) {
  if (is_cut()) return;
  const continuation c = state[lane];
  const operation_traits t = traits(c);
  if (t.what == operation_traits::kind::endless) return;
  const choice by{choice::kind::lane, lane, 0};
  if (const ending fault = fault_of(state, lane, t); fault != ending::none)
    return emit_end(out, by, fault);
  if (t.what == operation_traits::kind::fail) return emit_end(out, by, ending::assertion);
  if (t.what == operation_traits::kind::choose) return choose_steps(state, lane, out);
  const bool acts_on_image = t.what == operation_traits::kind::access && memory_->traits().is_image;
  if (!acts_on_image && is_memory_step(c)) return memory_steps(state, lane, out);
  continuation next = c;
  continuation first = c;  // `next` before operations that take no step are passed
  std::uint32_t memory = state[memory_word()];
  std::uint32_t status = state[status_word()];
  if (acts_on_image) {
    const access_result r = carry_out(lane, c, memory);
    next = r.next;
    memory = r.memory;
    first = r.first;
    out.suspicious |= t.suspicious;
    // An agent that waits only for copies, where no more can come (simt/ptx/bulk_copy.hpp).
    const operation& op = stores_.program.at(c);
    const bool asks =
        op.memory == detail::memory_kind::load && op.compare == detail::asks_for_the_end;
    std::uint64_t handed_over = 0;
    if (asks) std::memcpy(&handed_over, stores_.images[memory].data() + t.offset, t.size);
    if (asks && handed_over == 0) {
      const place& here = places_.lanes[lane];
      const std::uint32_t threads = setup_.grid.block_threads();
      const auto of_block = state.subspan(std::size_t{here.block} * threads, threads - 1);
      if (std::ranges::all_of(of_block, [](std::uint32_t other) { return other == exited; })) {
        first = this->next(c, detail::all_have_ended);
        next = settle(lane, first);
      }
    }
  } else {
    // The operation is an event, a fence, nanosleep, or syncwarp under `stack`.
    first = this->next(c, 0);
    next = settle(lane, first);
    if (t.what == operation_traits::kind::event) {
      if (setup_.monitor != nullptr) status = after_event(status, lane, c);
      look_at_time_for_memory();
      memory = memory_->after_event(memory, lane, stores_.program.at(c));
    }
  }
  status = after_points(status, lane, first);
  go_on(state, by, next, memory, status, out);
}

// Adds the step `by` of a single lane, which leads the lane to `next`.
void machine::go_on(state_view state, const choice& by, continuation next, std::uint32_t memory,
                    std::uint32_t status, successor_list& out) {
  const bool same = memory == state[memory_word()] && status == state[status_word()];
  if (next == state[by.unit] && same && !has_stacks()) {  // a lane that spins
    return out.add_stay(by, state);
  }
  const auto words = out.add(by, state);
  words[by.unit] = next;
  words[memory_word()] = memory;
  words[status_word()] = status;
  if (has_stacks()) settle_warp(words, places_.lanes[by.unit].warp);
  if ((next == exited || has_stacks()) && !all_resident_) dispatch(words);
}

// Lists one step for each value that the environment may choose.
void machine::choose_steps(state_view state, std::uint32_t lane, successor_list& out) {
  const continuation c = state[lane];
  const std::uint32_t count = stores_.program.at(c).count;
  for (std::uint32_t value = 0; value < count && !is_cut(); ++value) {
    look_at_time(words_);
    const continuation first = this->next(c, value);
    const std::uint32_t status = after_points(state[status_word()], lane, first);
    go_on(state, {choice::kind::lane, lane, choice::chooses | value}, settle(lane, first),
          state[memory_word()], status, out);
  }
}

std::uint32_t machine::after_event(std::uint32_t status, std::uint32_t lane, continuation c) {
  const event_key key{status, lane, c};
  if (const auto known = event_cache_.find(key); known != event_cache_.end()) return known->second;
  grid_status next = stores_.statuses[status];
  next.history = setup_.monitor->after(next.history, lane, stores_.program.at(c));
  const std::uint32_t after = intern_status(next);
  event_cache_.emplace(key, after);
  return after;
}

// Points belong to the step before them, whatever branches lie between. Under `stack`, the lane may
// stop at such a branch and go on later.
std::uint32_t machine::count_points(std::uint32_t lane, continuation c,
                                    std::vector<operation>* which) {
  const std::uint64_t key = std::uint64_t{lane} << 32 | c;
  if (which == nullptr) {
    const auto known = points_cache_.find(key);
    if (known != points_cache_.end()) return known->second;
  }
  std::uint32_t count = 0;
  round_watch<continuation> rounds;
  for (int i = 1; i <= local_limit && !rounds.comes_again(c); ++i) {
    if (i % moves_in_time == 0) stores_.program.give_up_in_time();
    const auto what = traits(c).what;
    if (is_cut()) return 0;
    if (what != operation_traits::kind::branch && what != operation_traits::kind::local) break;
    const operation op = stores_.program.at(c);
    if (op.kind == operation_kind::point && op.count != 0) {
      ++count;
      if (which != nullptr) which->push_back(op);
    }
    c = pass(lane, c);
  }
  if (which == nullptr) points_cache_.emplace(key, count);
  return count;
}

std::uint32_t machine::after_points(std::uint32_t status, std::uint32_t lane, continuation c) {
  std::uint32_t count = points_from(lane, c);
  if (count == 0) return status;
  operation point;
  point.kind = operation_kind::point;
  grid_status next = stores_.statuses[status];
  for (; count > 0; --count) next.history = setup_.monitor->after(next.history, lane, point);
  return intern_status(next);
}

std::vector<operation> machine::points_of_step(state_view state, const choice& by) {
  std::vector<operation> all;
  const std::uint32_t lane = by.unit;
  const continuation c = state[lane];
  const operation_traits t = traits(c);
  using kind = operation_traits::kind;
  if (!setup_.has_points || is_bad_access(state, lane)) return all;
  if (t.what == kind::access) {
    count_points(lane, carry_out(lane, c, state[memory_word()]).first, &all);
  } else if (t.what == kind::event || t.what == kind::silent || t.what == kind::choose) {
    count_points(lane, next(c, by.chosen()), &all);
  }
  return all;
}

consistency_set machine::broken(state_view state) {
  if (setup_.monitor == nullptr) return 0;
  if (has_promises(state)) return 0;
  const std::uint32_t history = status(state).history;
  if (is_complete(state)) return setup_.monitor->broken_at_end(history);
  const auto [known, is_new] = broken_cache_.try_emplace(state[status_word()], 0);
  if (is_new) known->second = setup_.monitor->broken(history);
  return known->second;
}

void machine::add_early_stores(state_view state, successor_list& out) {
  early_->add_choices(state, out);
}

std::vector<promised_store> machine::promises(state_view state, std::uint32_t lane) {
  return early_ != nullptr ? early_->promises(state, lane) : std::vector<promised_store>{};
}

bool machine::learn_telling(bool has_ended) {
  return early_ != nullptr && early_->learn_telling(has_ended);
}

// --- states ---

std::uint32_t machine::intern_status(const grid_status& status) {
  return stores_.statuses.intern(status);
}

bool machine::is_client(std::uint32_t lane) const {
  const place& at = places_.lanes[lane];
  if (setup_.assigned != nullptr) return !setup_.assigned->of_lane[lane].empty();
  switch (setup_.clients) {
    case clients::lane: return true;
    case clients::warp: return at.index == 0;
    case clients::block: return at.index == 0 && at.warp % setup_.grid.warps() == 0;
  }
  return true;
}

void machine::fill_initial(std::span<std::uint32_t> words) {
  std::vector<std::uint8_t> image = setup_.memory->initial_image();
  std::unique_lock lock(stores_.lanes_lock);
  lane_program& program = stores_.program.init_program();
  continuation c = program.start_init();
  initial_events_.clear();
  for (int steps = 0; c != exited; ++steps) {
    stores_.program.give_up_in_time();
    const operation op = program.at(c);
    const operation_traits t = traits_of(op);
    if (t.what == operation_traits::kind::endless) {
      throw lane_error(
          "init() goes round here for ever; it runs once, on one thread, before the grid, so a "
          "loop "
          "in it waits for nobody",
          op.pc);
    }
    if (steps > local_limit) {
      throw lane_error(
          fmt::format("init() has not ended after {} operations; it runs once, on one thread, so "
                      "a loop in it waits for nobody; let the constructor do what is long, on the "
                      "host",
                      local_limit),
          op.pc);
    }
    if (t.what == operation_traits::kind::collective || t.what == operation_traits::kind::barrier) {
      throw lane_error(
          "init() waits for other threads, but it runs once, on one thread, before the grid; let "
          "operator() or the operations do that",
          op.pc);
    }
    std::uint64_t answer = 0;
    if (t.what == operation_traits::kind::bad_access) {
      throw lane_error("init() accesses memory that is not there", op.pc);
    }
    if (t.what == operation_traits::kind::fail)
      throw lane_error("an assertion fails in init()", op.pc);
    if (t.what == operation_traits::kind::choose) {
      throw lane_error(
          "init() calls simt::choose, but the grid begins in one state; let operator() or the "
          "operations choose",
          op.pc);
    }
    if (t.what == operation_traits::kind::access) {
      if (t.node != no_node && !setup_.memory->is_in_use(t.node, image)) {
        throw lane_error("init() accesses a node of a pool that is not in use", op.pc);
      }
      std::uint64_t old = 0;
      std::memcpy(&old, image.data() + t.offset, t.size);
      const std::uint64_t next = apply(op, old);
      std::memcpy(image.data() + t.offset, &next, t.size);
      answer = simt::answer(op, old);
    } else if (op.kind == operation_kind::assignment) {
      answer = setup_.assigned == nullptr ? detail::no_operation
                                          : answer_from(setup_.assigned->before, op, false);
    } else if (t.what == operation_traits::kind::local) {
      answer = local_answer(0, op);
    } else if (t.what == operation_traits::kind::event) {
      initial_events_.push_back(op);
    }
    c = program.next(c, answer);
  }
  memory_->begin(image);
  if (early_ != nullptr) early_->forget();
  words[memory_word()] = first_memory_ = stores_.images.intern(image);
  lock.unlock();
  grid_status status;
  if (setup_.monitor != nullptr) status.history = setup_.monitor->initial(initial_events_);
  fill_launch(words, 0, status);
}

std::uint64_t machine::first_value(std::uint32_t offset, std::uint32_t size) const {
  std::uint64_t value = 0;
  if (stores_.images.size() == 0) return value;
  std::memcpy(&value, stores_.images[first_memory_].data() + offset, size);
  return value;
}

bool machine::is_gone(std::uint32_t lane, const operation_traits& t, state_view state) const {
  if (t.block == no_block || t.block == places_.lanes[lane].block) return false;
  const std::uint32_t threads = setup_.grid.block_threads();
  return std::ranges::all_of(state.subspan(std::size_t{t.block} * threads, threads),
                             [](std::uint32_t c) { return c == exited; });
}

std::vector<std::vector<std::uint32_t>> machine::readers_at(state_view state,
                                                            std::uint32_t offset) const {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (state[lane] != exited) lanes.push_back(lane);
  }
  return memory_->readers_at(state[memory_word()], offset, lanes);
}

void machine::emit_end(successor_list& out, const choice& by, ending how) {
  transition end;
  end.by = by;
  end.ends = how;
  out.transitions.push_back(end);
}

void machine::end_here(successor_list& out, std::string why) {
  out.transitions.clear();
  out.here = ending::barrier_divergence;
  out.why = std::move(why);
}

std::uint32_t machine::alive(state_view state, std::uint32_t warp) const {
  const warp_place& w = places_.warps[warp];
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (state[w.first + i] != exited) mask |= 1U << i;
  }
  return mask;
}

// --- residence ---

namespace {

struct residence {
  std::uint32_t resident = 0;
  std::vector<std::uint32_t> waiting;  // blocks not yet started
};

residence survey(const machine& m, state_view state) {
  residence r;
  const grid_status& status = m.status(state);
  const std::uint32_t threads = m.setup().grid.block_threads();
  for (std::uint32_t b = 0; b < status.started.size(); ++b) {
    if (status.started[b] == 0) {
      r.waiting.push_back(b);
      continue;
    }
    const auto lanes = state.subspan(std::size_t{b} * threads, threads);
    if (!std::ranges::all_of(lanes, [](std::uint32_t c) { return c == exited; })) ++r.resident;
  }
  return r;
}

}  // namespace

bool machine::awaits_dispatch(state_view state) const {
  if (all_resident_) return false;
  const residence r = survey(*this, state);
  return r.resident < setup_.model.resident && !r.waiting.empty();
}

void machine::dispatch_choices(state_view state, successor_list& out) {
  out.is_choice = true;
  for (const std::uint32_t block : survey(*this, state).waiting) {
    const auto words = out.add({choice::kind::dispatch, block, 0}, state);
    grid_status status = this->status(state);
    status.started[block] = 1;
    words[status_word()] = intern_status(status);
    come_to_rest(words, block);
  }
}

void machine::settle_block(std::span<std::uint32_t> words, std::uint32_t block) {
  const std::uint32_t warps = setup_.grid.warps();
  for (std::uint32_t w = block * warps; w < (block + 1) * warps; ++w) settle_warp(words, w);
}

void machine::come_to_rest(std::span<std::uint32_t> words, std::uint32_t block) {
  settle_block(words, block);
  if (!all_resident_) dispatch(words);
}

void machine::dispatch(std::span<std::uint32_t> words) {
  for (;;) {
    const residence r = survey(*this, words);
    const bool room = r.resident < setup_.model.resident && !r.waiting.empty();
    const bool choice = setup_.model.order == block_order::any && r.waiting.size() > 1;
    if (!room || choice) return;
    grid_status status = this->status(words);
    status.started[r.waiting.front()] = 1;
    words[status_word()] = intern_status(status);
    settle_block(words, r.waiting.front());
  }
}

// --- properties ---

bool machine::conflict(std::uint32_t lane_a, continuation a, std::uint32_t lane_b, continuation b) {
  const operation_traits ta = traits(a);
  const operation_traits tb = traits(b);
  using kind = operation_traits::kind;
  if (ta.what != kind::access || tb.what != kind::access) return false;
  if (ta.offset + ta.size <= tb.offset || tb.offset + tb.size <= ta.offset) return false;
  if (!ta.writes && !tb.writes) return false;
  if (is_bad(lane_a, ta) || is_bad(lane_b, tb)) return false;
  const operation& oa = stores_.program.at(a);
  const operation& ob = stores_.program.at(b);
  // A proxy fence for one place is no access to that place.
  using enum detail::memory_kind;
  if (oa.memory == proxy_fence || ob.memory == proxy_fence) return false;
  if (oa.weak || ob.weak || ta.offset != tb.offset || ta.size != tb.size) return true;
  // A copy ends at an mbarrier as if by a lane of the block that the mbarrier is in: lanes there
  // wait for it with the scope of their block.
  const auto block_of = [&](std::uint32_t lane, const operation& op, const operation_traits& t) {
    const place& at = places_.lanes[lane];
    const bool ends_copy = (op.memory == mbarrier || (op.memory == async_load && op.size == 8)) &&
                           setup_.grid.is_agent(at.warp);
    return ends_copy && t.block != no_block ? t.block : at.block;
  };
  const std::uint32_t block_a = block_of(lane_a, oa, ta), block_b = block_of(lane_b, ob, tb);
  const auto includes_other = [&](thread_scope scope) {
    return scope == thread_scope_system || scope == thread_scope_device ||
           (scope == thread_scope_cluster && setup_.grid.share_cluster(block_a, block_b)) ||
           (scope == thread_scope_block && block_a == block_b);
  };
  return !includes_other(oa.scope) || !includes_other(ob.scope);
}

std::uint32_t machine::units() const {
  return static_cast<std::uint32_t>(has_stacks() ? places_.warps.size() : places_.lanes.size());
}

std::uint32_t machine::unit_of_lane(std::uint32_t lane) const {
  return has_stacks() ? places_.lanes[lane].warp : lane;
}

bool machine::is_finished(state_view state, std::uint32_t unit) const {
  return has_stacks() ? alive(state, unit) == 0 : state[unit] == exited;
}

std::uint32_t machine::block_of_unit(std::uint32_t unit) const {
  return has_stacks() ? places_.warps[unit].block : places_.lanes[unit].block;
}

std::size_t machine::shared_memory() const {
  const std::lock_guard lock(stores_.lanes_lock);
  return stores_.images.memory() + stores_.statuses.memory() + stores_.stacks.memory() +
         stores_.program.memory() + (setup_.monitor != nullptr ? setup_.monitor->memory() : 0);
}

std::size_t machine::own_memory() const {
  return next_cache_.bucket_count() * (sizeof(access_key) + sizeof(continuation) + 1) +
         event_cache_.bucket_count() * (sizeof(event_key) + 5) +
         (early_ != nullptr ? early_->remembered() : 0) + memory_->remembered() +
         stepped_cache_.bucket_count() * 17 +
         access_rows_.size() * (sizeof(access_rows_[0]) + row_length) +
         recent_.size() * sizeof(recent_access) + traits_.capacity() * sizeof(operation_traits);
}

}  // namespace simt
