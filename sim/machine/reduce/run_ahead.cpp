// Takes steps at once that commute with everything that other lanes may do. If the order of lanes
// in lockstep cannot matter, lists only one of these lanes. docs/reductions.md, "Steps that
// commute".
//
// Models: nothing new. An execution that is left out differs from a kept one only in the order of
// independent steps.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/reach_without.hpp"
#include "sim/machine/reduce/unused_results.hpp"

namespace simt {
namespace {

// The most steps that one lane or warp may run ahead in a row. More steps count as a loop.
constexpr std::size_t run_limit = 1'000;

/// Finds a repetition without storing the path (Brent 1980).
template <class T>
class repetition {
 public:
  explicit repetition(T start) : mark_(std::move(start)) {}
  /// `now`: the value after one more step.
  template <class Now>
  bool is_seen_in(const Now& now) {
    if (std::ranges::equal(now, mark_)) return true;
    if (++steps_ == power_) {
      mark_.assign(now.begin(), now.end());
      power_ *= 2;
    }
    return false;
  }

 private:
  T mark_;  // the value some steps ago
  std::size_t steps_ = 0, power_ = 1;
};

}  // namespace

bool machine::run_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (!may_run_ahead() || awaits_choice(words)) return false;
  if (!memory_->traits().names_lanes) return go_ahead(words, made);
  const auto lanes = words.first(places_.lanes.size());
  const auto had_exited = std::ranges::count(lanes, exited);
  const bool any = go_ahead(words, made);
  if (std::ranges::count(lanes, exited) != had_exited) forget_exited(words);
  return any;
}

// The caller drops what lanes know that exit on the way.
bool machine::go_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (without_ != nullptr) without_->begin_questions();
  const bool any = lanes_ahead(words, made);
  bool is_any_together = false;
  for (std::uint32_t lane = 0; !is_any_together && lane < places_.lanes.size(); ++lane) {
    if (lane > 0 && words[lane] == words[lane - 1]) continue;
    const operation_kind kind = waits_at(words, lane).kind;
    is_any_together = meets_others(kind);
  }
  if (!is_any_together) return any;
  const state_words before(words.begin(), words.end());
  const std::size_t made_before = made != nullptr ? made->size() : 0;
  repetition<state_words> round(before);
  std::size_t steps = 0;
  for (; steps < run_limit && !awaits_choice(words) && !is_cut(); ++steps) {
    if (!group_ahead(words, made)) break;
    if (awaits_choice(words)) return true;
    lanes_ahead(words, made);
    if (round.is_seen_in(words)) {
      // The steps would go round for ever, so they are explored like other steps.
      std::ranges::copy(before, words.begin());
      if (made != nullptr) made->resize(made_before);
      return any;
    }
  }
  return any || steps > 0;
}

// Takes the first step of several lanes that no other lane can prevent and that has one outcome.
// Such steps are collectives of a warp and barriers. Returns whether there was one.
bool machine::group_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (footprints_->has_met_divergence() || setup_.has_points || owes_some_blocks()) return false;
  if (memory_->makes_promises() || has_promises(words)) return false;
  const auto take = [&](const transition& t) {
    if (t.ends != ending::none) return false;
    const auto next = groups_.state(t, words_);
    bool exits = false;  // where others mind
    for_each_lane(t.by, words, [&](std::uint32_t l) {
      exits = exits || (next[l] == exited && !may_go_to(words, l, exited));
    });
    if (exits) return false;
    if (made != nullptr) made->push_back(t.by);
    std::ranges::copy(next, words.begin());
    return true;
  };
  const auto waits_at_any = [&](std::uint32_t first, std::uint32_t lanes, operation_kind kind) {
    for (std::uint32_t lane = first; lane < first + lanes; ++lane) {
      if (words[lane] != exited && waits_at(words, lane).kind == kind) return true;
    }
    return false;
  };
  for (std::uint32_t w = 0; w < places_.warps.size(); ++w) {
    const warp_place& warp = places_.warps[w];
    if (!is_resident(words, warp.block)) continue;
    if (!waits_at_any(warp.first, warp.lanes, operation_kind::collective)) continue;
    groups_.clear();
    collective_steps(words, w, groups_);
    if (groups_.here != ending::none) continue;
    for (const transition& t : groups_.transitions) {
      const auto lane = warp.first + static_cast<std::uint32_t>(std::countr_zero(t.by.mask));
      if (waits_at(words, lane).collective == detail::collective_kind::activemask) continue;
      if (take(t)) return true;
    }
  }
  const std::uint32_t threads = setup_.grid.block_threads();
  for (std::uint32_t b = 0; b < setup_.grid.blocks; ++b) {
    if (!is_resident(words, b)) continue;
    if (!waits_at_any(b * threads, threads, operation_kind::barrier)) continue;
    groups_.clear();
    barrier_steps_of_block(words, b, groups_);
    if (groups_.here != ending::none) continue;
    for (const transition& t : groups_.transitions) {
      if (t.by.what == choice::kind::block && take(t)) return true;
    }
  }
  groups_.clear();
  wide_barrier_steps(words, groups_);
  return groups_.here == ending::none &&
         std::ranges::any_of(groups_.transitions, [&](const transition& t) { return take(t); });
}

bool machine::lanes_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  const std::uint32_t count = units();
  bool any = false;
  std::vector<char>& loops = ahead_loops_;  // units that loop in such steps: left alone
  loops.assign(count, 0);
  for (bool more = true; more;) {
    more = false;
    // Steps of other lanes might change whether these units are owed progress.
    if (owes_some_blocks()) list_owed(words, ahead_owed_);
    for (std::uint32_t unit = 0; unit < count; ++unit) {
      if (is_cut()) return any;
      if (loops[unit] != 0) continue;
      if (owes_some_blocks() && ahead_owed_[unit] == 0) continue;
      // A unit that is symmetric to the one before could not run ahead, either.
      if (!has_stacks() && may_repeat() && symmetry_->repeats(words, unit) &&
          traits(words[unit]).what != operation_traits::kind::silent) {
        continue;
      }
      const std::optional<std::uint32_t> lane = lane_ahead(words, unit);
      if (!lane) continue;
      if (!unit_ahead(words, unit, *lane, made)) continue;
      more = any = true;
      if (has_stacks() && awaits_choice(words)) return true;
    }
  }
  return any;
}

// Moves the unit on as long as its steps concern no other lane. Returns whether it has moved. A
// unit that would loop for ever stops at one state of its cycle, and is marked in ahead_loops_.
// That state does not depend on where the unit entered the cycle.
bool machine::unit_ahead(std::span<std::uint32_t> words, std::uint32_t unit, std::uint32_t begin,
                         std::vector<choice>* made) {
  const std::uint32_t first = has_stacks() ? places_.warps[unit].first : unit;
  const std::uint32_t lanes = has_stacks() ? places_.warps[unit].lanes : 1;
  using snapshot = std::vector<std::uint32_t>;  // all that the unit's steps may change
  const auto take = [&](snapshot& s) {
    s.assign(words.begin() + first, words.begin() + first + lanes);
    s.push_back(words[memory_word()]);
    s.push_back(words[status_word()]);
    if (has_stacks()) s.push_back(words[stack_word(unit)]);
  };
  const auto put = [&](const snapshot& s) {
    std::copy_n(s.begin(), lanes, words.begin() + first);
    words[memory_word()] = s[lanes];
    words[status_word()] = s[lanes + 1];
    if (has_stacks()) words[stack_word(unit)] = s[lanes + 2];
  };
  std::optional<std::uint32_t> lane;
  const auto step = [&](bool keep) {
    look_at_time(words_);
    step_ahead(words, *lane);
    if (keep && made != nullptr) made->push_back({choice::kind::lane, *lane, 0});
    lane =
        has_stacks() && stack(words, unit).awaits_choice() ? std::nullopt : lane_ahead(words, unit);
  };
  snapshot before, now;
  take(before);
  repetition<snapshot> round(before);
  const std::size_t made_before = made != nullptr ? made->size() : 0;
  lane = begin;
  bool loops = false;
  for (std::size_t steps = 1; lane && !loops; ++steps) {
    step(true);
    take(now);
    loops = round.is_seen_in(now) || steps > run_limit;
  }
  if (!loops) return true;
  ahead_loops_[unit] = 1;

  // The state to stop at. Of the states in which all active lanes are level in lockstep, it is the
  // least one, whatever the order of lanes.
  const auto is_level = [&] {
    return !has_stacks() || front(words, unit) == (stack(words, unit).active & alive(words, unit));
  };
  const auto is_less = [&](const snapshot& a, const snapshot& b) {
    snapshot lanes_a(a.begin(), a.begin() + lanes);
    snapshot lanes_b(b.begin(), b.begin() + lanes);
    std::ranges::sort(lanes_a);
    std::ranges::sort(lanes_b);
    if (lanes_a != lanes_b) return lanes_a < lanes_b;
    return addresses_.is_less(stores_.images[a[lanes]], stores_.images[b[lanes]]);
  };
  std::optional<snapshot> best;
  const snapshot mark = now;
  for (std::size_t steps = 0; lane && steps <= run_limit; ++steps) {
    if (is_level() && (!best || is_less(now, *best))) best = now;
    step(false);
    take(now);
    if (now == mark) break;
  }
  put(before);
  if (made != nullptr) made->resize(made_before);
  if (!best || *best == before) return false;
  lane = begin;
  now = before;
  for (std::size_t steps = 0; lane && now != *best && steps <= 2 * run_limit; ++steps) {
    step(true);
    take(now);
  }
  if (now == *best) return true;
  put(before);
  if (made != nullptr) made->resize(made_before);
  return false;
}

// Whether running ahead may lead to `next`. The end of a block may make room for another one.
bool machine::may_go_to(state_view state, std::uint32_t lane, continuation next) {
  if (may_diverge_at(next)) return false;
  if (next != exited) return true;
  if (!all_resident_) return false;
  // An access to the shared memory of a block that has ended is an error.
  if (setup_.grid.cluster == 1) return true;
  others_->look_at(state.first(places_.lanes.size()));
  return !others_->beyond_warp(lane, footprints_->cells_of(gone_byte(), 1),
                               footprints::bit_of(footprints::use::read), footprints::horizon::end);
}

// The only outcome of a lane's step at memory. If a load has several, its newest message counts if
// the lane would wait at the same load again with each older one. Null: there is none.
const transition* machine::way_on(state_view state, std::uint32_t lane, const successor_list& all) {
  if (all.transitions.size() == 1) return &all.transitions.front();
  if (has_stacks() || waits_at(state, lane).memory != detail::memory_kind::load) return nullptr;
  const transition* newest = nullptr;
  for (const transition& t : all.transitions) {
    if (t.ends != ending::none) return nullptr;
    const auto after = all.state(t, words_);
    const bool waits = after[lane] == state[lane] && after[status_word()] == state[status_word()];
    const bool is_newest = t.by.mask == 0;
    if (waits == is_newest) return nullptr;
    if (is_newest) newest = &t;
  }
  return newest;
}

bool machine::step_ahead(std::span<std::uint32_t> words, std::uint32_t lane) {
  // A lane must not repeat a return, because the monitor sees each return.
  if (is_cut()) return false;
  const bool acts_on_image =
      traits(words[lane]).what == operation_traits::kind::access && memory_->traits().is_image;
  if (!acts_on_image && is_memory_step(words[lane])) {
    successor_list all;
    memory_steps(words, lane, all);
    const transition* const only = way_on(words, lane, all);
    if (only == nullptr || only->ends != ending::none) return false;
    std::ranges::copy(all.state(*only, words_), words.begin());
  } else if (acts_on_image) {
    const access_result r = carry_out(lane, words[lane], words[memory_word()]);
    words[lane] = r.next;
    words[memory_word()] = r.memory;
  } else {
    if (traits(words[lane]).what == operation_traits::kind::event) {
      words[status_word()] = after_event(words[status_word()], lane, words[lane]);
    }
    words[lane] = advance(lane, words[lane], 0);
  }
  if (remembers_steps_) {  // hsa_obe owes the lowest block progress before it has started
    words[status_word()] = status_with_step(words[status_word()], places_.lanes[lane].block);
  }
  if (has_stacks()) settle_warp(words, places_.lanes[lane].warp);
  return true;
}

// The first of the unit's enabled lanes whose operation concerns no other lane.
std::optional<std::uint32_t> machine::lane_ahead(state_view state, std::uint32_t unit) {
  if (!is_resident(state, block_of_unit(unit))) return std::nullopt;
  if (!has_stacks()) {
    return concerns_nobody(state, unit, 0) ? std::optional(unit) : std::nullopt;
  }
  const std::uint32_t enabled = front(state, unit);
  const warp_place& w = places_.warps[unit];
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (in(enabled, i) && concerns_nobody(state, w.first + i, enabled)) return w.first + i;
  }
  return std::nullopt;
}

// Whether the step of `lane` concerns no other lane. `lockstep`: the lanes of the warp at the same
// instruction.
bool machine::concerns_nobody(state_view state, std::uint32_t lane, std::uint32_t lockstep) {
  if (!memory_->traits().is_image) return concerns_nobody_in_memory(state, lane);
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = traits(c);
  if (t.what == kind::silent) {
    return points_from(lane, next(c, 0)) == 0 && may_go_to(state, lane, advance(lane, c, 0));
  }
  // A return at once excludes the most orders of operations. A later return would show no other
  // violation.
  if (t.what == kind::event && stores_.program.at(c).kind == operation_kind::returned) {
    return may_go_to(state, lane, advance(lane, c, 0));
  }
  if (t.what != kind::access || is_bad_access(state, lane, t)) return false;
  if (!is_left_alone(state, lane, lockstep)) return false;
  const access_result r = carry_out(lane, c, state[memory_word()]);
  if (!leads_as_others(c, t, r.first)) return false;
  // Other lanes see an operation that takes effect.
  return points_from(lane, r.first) == 0 && may_go_to(state, lane, r.next);
}

// Whether no other lane can reach a conflicting access while `lane` stands at its access.
bool machine::is_left_alone(state_view state, std::uint32_t lane, std::uint32_t lockstep) {
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = traits(c);
  const footprints::cell_range cells = footprints_->cells_of(t.offset, t.size);
  // What the access needs: a pool node that is in use, or another block that has not ended.
  const bool is_remote = t.block != no_block && t.block != places_.lanes[lane].block;
  const pool_nodes taken = nodes_of_take(stores_.program.at(c));
  const footprints::cell_range node =
      t.node != no_node  ? footprints_->cells_of(node_byte(t.node), 1)
      : taken.count != 0 ? footprints_->cells_of(node_byte(taken.first), taken.count)
      : is_remote        ? footprints_->cells_of(gone_byte(), 1)
                         : footprints::cell_range{};
  others_->look_at(state.first(places_.lanes.size()));
  // No lane waits at a barrier for an ended lane, or learns there what that lane has done. So where
  // barriers must keep a location uncontested, accesses of others behind the barriers count, too.
  // Otherwise it suffices that others cannot get there while this lane stands here.
  using horizon = footprints::horizon;
  const auto until = [&](horizon barrier) {
    const bool may_end_first =
        !memory_->traits().is_image && memory_->is_in_order(t.offset) &&
        footprints_->reads(c, footprints_->cells_of(exit_byte(), 1), barrier);
    return may_end_first ? horizon::end : barrier;
  };
  const footprints::use how = use_of(c, t);
  const footprints::use_set conflicting = footprints::conflicting(how);
  // A node in use stays in use until some lane retires it. A node that is not in use may be handed
  // out again, and then accesses to it are valid again.
  const bool changes_nodes = retires(c) || taken.count != 0;
  const footprints::use_set of_node =
      footprints::conflicting(changes_nodes ? footprints::use::written : footprints::use::read);
  const horizon block = until(horizon::block);
  const bool may_meet_beyond_warp = others_->beyond_warp(lane, cells, conflicting, block) ||
                                    others_->beyond_warp(lane, node, of_node, block);
  const auto may_meet_in_warp = [&] {
    const horizon warp = until(horizon::warp);
    return others_->in_warp(lane, cells, conflicting, warp) ||
           others_->in_warp(lane, node, of_node, warp);
  };
  if (!trusts_lockstep_) {
    return (!may_meet_beyond_warp && !may_meet_in_warp()) || stays_alone(state, lane, false);
  }
  // No lane of the warp passes this instruction before `lane`. But the next instruction may be the
  // other access of a race.
  if (footprints_->may_race(cells) && may_meet_in_warp()) return false;
  const warp_place& warp = places_.warps[places_.lanes[lane].warp];
  for (std::uint32_t other = warp.first; other < warp.first + warp.lanes; ++other) {
    if (other == lane || state[other] == exited || !in(lockstep, other - warp.first)) continue;
    const operation_traits o = traits(state[other]);
    if (o.what == kind::access && footprints::has(conflicting, use_of(state[other], o)) &&
        o.offset < t.offset + t.size && t.offset < o.offset + o.size) {
      return false;
    }
  }
  return !may_meet_beyond_warp || stays_alone(state, lane, true);
}

machine::pool_nodes machine::nodes_of_take(const operation& op) const {
  if (op.kind != operation_kind::memory || op.memory != detail::memory_kind::pool_take) return {};
  const device_memory& memory = *setup_.memory;
  const pool_node first = memory.node_of_word(op.address, 0);
  const device_pool& pool = memory.pool_of(first);
  if (!pool.guarded) return {};
  return {first, std::min(pool.first + pool.capacity + 1 - first, detail::pool_word_nodes)};
}

bool machine::stays_alone(state_view state, std::uint32_t lane, bool only_beyond_warp) {
  if (without_ == nullptr) return false;
  const operation_traits t = traits(state[lane]);
  // Promised stores may pass the operation at which their lane waits. At an uncontested location,
  // barriers have to keep the accesses apart.
  if (memory_->makes_promises() || has_promises(state)) return false;
  if (!memory_->traits().is_image && memory_->is_in_order(t.offset)) return false;
  return !renames() &&
         without_->leaves_alone(state, lane, only_beyond_warp, ends_waits(state, lane));
}

// Whether other lanes may wait for this access, so that it should be carried out first. No cycle of
// states has this access, since the lane never changes the location again. No fair run stops in
// front of it.
bool machine::ends_waits(state_view state, std::uint32_t lane) {
  const continuation c = state[lane];
  const operation& op = stores_.program.at(c);
  if (!memory_->traits().is_image || has_stacks() || setup_.progress != progress::fair)
    return false;
  if (!op.writes() || traits(c).suspicious) return false;
  // A lane that waits at a pool node may not access it before the node is allocated.
  if (op.memory == detail::memory_kind::pool_take || retires(c)) return false;
  return !may_write_again(carry_out(lane, c, state[memory_word()]).next, c);
}

bool machine::may_not_commute(continuation a, continuation b) {
  const operation_traits one = traits(a);
  const operation_traits other = traits(b);
  using kind = operation_traits::kind;
  if (one.what != kind::access || other.what != kind::access) return false;
  if (one.node != no_node && one.node == other.node && (retires(a) || retires(b))) return true;
  const pool_nodes taken = nodes_of_take(stores_.program.at(a));
  if (other.node >= taken.first && other.node - taken.first < taken.count) return true;
  return one.offset < other.offset + other.size && other.offset < one.offset + one.size &&
         footprints::has(footprints::conflicting(use_of(a, one)), use_of(b, other));
}

bool machine::concerns_nodes(continuation c) {
  return traits(c).node != no_node || nodes_of_take(stores_.program.at(c)).count != 0;
}

footprints::use machine::use_of(continuation c, const operation_traits& t) {
  if (!t.writes) return footprints::use::read;
  const bool updates = footprints_->is_update(c).value_or(may_be_update(c));
  return updates ? footprints::use::updated : footprints::use::written;
}

bool machine::may_be_update(continuation c) {
  // With several launches, the values of the location are unknown. The host may leave other values,
  // and lanes reach the update once in each launch.
  if (has_launches()) return false;
  const operation& op = stores_.program.at(c);
  const operation_traits t = traits(c);
  if (op.kind != operation_kind::memory || t.what != operation_traits::kind::access) return false;
  if (!unused_results::commutes(op) || t.node != no_node || may_race(c)) return false;
  return !orders_memory_ && !memory_->is_narrow(op);
}

// Whether the update leads to one class, so that its result counts as unused. Otherwise all
// explored states are void.
bool machine::leads_as_others(continuation c, const operation_traits& t, continuation next) {
  if (use_of(c, t) != footprints::use::updated) return true;
  const auto [known, is_new] = after_update_.try_emplace(c, next);
  if (known->second == next) return true;
  record_news();
  return false;
}

// docs/reductions.md, "Steps that commute where memory is weak".
bool machine::concerns_nobody_in_memory(state_view state, std::uint32_t lane) {
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = traits(c);
  if (t.what != kind::silent && t.what != kind::access) return false;
  look_at_time_for_memory();
  const memory_request asked = request_of(state, lane);
  if (t.what == kind::access) {
    // Which lane has a pool node matters to other lanes.
    const bool is_pools = t.node != no_node || asked.op.memory == detail::memory_kind::pool_take;
    if (is_pools || is_bad_access(state, lane, t)) return false;
  }
  const bool is_load =
      t.what == kind::access && asked.op.memory == detail::memory_kind::load && !has_stacks();
  const bool arrives = t.what == kind::access && memory_->arrives_in_phase(asked);
  const bool wavers = !memory_->may_go_ahead(asked, has_stacks(), arrives);
  if (wavers && !(is_load && memory_->may_go_ahead(asked, has_stacks(), true))) return false;
  // (The memory of another block ends with that block, whoever else accesses it.)
  const bool is_remote = t.block != no_block && t.block != places_.lanes[lane].block;
  if (is_remote && arrives) return false;
  if (t.what == kind::access && (is_remote || memory_->is_shared(t.offset)) && !arrives) {
    if (!is_left_alone(state, lane, 0)) return false;
    if (memory_->is_in_order(t.offset)) {
      std::uint64_t old = 0;
      std::memcpy(&old, image(state).data() + t.offset, t.size);
      if (!leads_as_others(c, t, next(c, simt::answer(asked.op, old)))) return false;
    }
  }
  state_words after(state.begin(), state.end());
  if (!step_ahead(after, lane)) return false;
  // Then no cycle of states has this step, so the remaining states show whether memory is fair.
  if (wavers && may_come_to(after[lane], footprints_->cells_of(t.offset, t.size))) return false;
  if (memory_->tells_others(asked.op, state[memory_word()], after[memory_word()])) return false;
  // Parked lanes promise nothing, so a step must not change which lanes may promise.
  const std::size_t stack = has_stacks() ? stack_word(places_.lanes[lane].warp) : 0;
  if (has_stacks() && memory_->makes_promises() && after[stack] != state[stack]) return false;
  const bool passes_point = status(after).history != status(state).history;
  return !passes_point && may_go_to(state, lane, after[lane]);
}

void machine::describe_operations(std::vector<footprints::own>& all, bool has_ended) {
  using kind = operation_traits::kind;
  // mixed_sizes_ has to be known first, since it decides which accesses may be in a race.
  catch_up();
  const auto count = static_cast<continuation>(stores_.program.size());
  all.assign(count, {});
  const std::vector<char> reached = stores_.program.reached_from(program_starts());
  // A lane that calls both halves of a cluster's barrier at once does not wait for lanes that have
  // only called the first half.
  bool has_halves = false;
  for (continuation c = 0; c < count; ++c) {
    const operation& op = stores_.program.at(c);
    has_halves = has_halves ||
                 (reached[c] != 0 && op.kind == operation_kind::barrier && is_half(op.barrier));
  }
  for (continuation c = 0; c < count; ++c) {
    if (reached[c] == 0) continue;
    const operation_traits t = traits(c);
    footprints::own& own = all[c];
    if (t.what == kind::exited && (!memory_->traits().is_image || setup_.grid.cluster > 1)) {
      own.accesses = true;
      own.offset = exit_byte();
      own.size = 1;
      own.retires = setup_.grid.cluster > 1;
      if (own.retires) own.node = gone_byte();
    }
    if (t.what == kind::access) {
      own.accesses = true;
      own.updates = may_be_update(c);
      own.writes = t.writes && !own.updates;
      own.may_race = may_race(c);
      own.offset = t.offset;
      own.size = t.size;
      if (t.node != no_node) own.node = node_byte(t.node);
      if (setup_.grid.cluster > 1 && t.block != no_block) own.node = gone_byte();
      own.retires = retires(c);
    }
    const operation& op = stores_.program.at(c);
    own.ends_block = op.kind == operation_kind::barrier && is_joint(op.barrier) &&
                     !(has_halves && op.barrier == barrier_part::cluster);
    // Where votes order nothing, stores behind one may be read before it.
    using detail::collective_kind;
    own.ends_warp = op.kind == operation_kind::collective && !has_stacks() &&
                    op.collective != collective_kind::activemask &&
                    (memory_->traits().votes_order || op.collective == collective_kind::syncwarp) &&
                    needs_whole_warp(op);
  }
  unused_results(*this).mark(all, has_ended);
}

bool machine::needs_whole_warp(const operation& op) const {
  return std::ranges::all_of(places_.warps, [&](const warp_place& w) {
    return (op.mask & w.full_mask()) == w.full_mask();
  });
}

}  // namespace simt
