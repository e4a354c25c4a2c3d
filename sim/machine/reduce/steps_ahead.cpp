// Takes steps at once that commute with everything that other lanes may do. If the order of lanes
// in lockstep cannot matter, lists only one of these lanes. docs/reductions.md, "Steps that
// commute".
//
// Models: nothing new. An execution that is left out differs from a kept one only in the order of
// independent steps.
#include "sim/machine/reduce/steps_ahead.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/reach_without.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace simt {
namespace {

constexpr std::size_t run_limit = steps_ahead::steps_of_cut_run;

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

steps_ahead::steps_ahead(machine& of, footprints& reaches, settings what)
    : machine_(of),
      reaches_(reaches),
      settings_(what),
      uses_(of, reaches),
      others_(of.places(), reaches, [this](continuation c) { return uses_.access_at(c); }) {
  if (settings_.asks_further) without_ = std::make_unique<reach_without>(machine_, uses_);
}

steps_ahead::~steps_ahead() = default;

void steps_ahead::forget() {
  uses_.forget();
  if (without_ != nullptr) without_ = std::make_unique<reach_without>(machine_, uses_);
}

bool steps_ahead::run(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (machine_.awaits_choice(words)) return false;
  if (!machine_.traits_of_memory().names_lanes) return go_ahead(words, made);
  const auto lanes = words.first(machine_.places().lanes.size());
  const auto had_exited = std::ranges::count(lanes, exited);
  const bool any = go_ahead(words, made);
  if (std::ranges::count(lanes, exited) != had_exited) machine_.forget_exited(words);
  return any;
}

// The caller drops what lanes know that exit on the way.
bool steps_ahead::go_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (without_ != nullptr) without_->begin_questions();
  const bool any = lanes_ahead(words, made);
  bool is_any_together = false;
  for (std::uint32_t lane = 0; !is_any_together && lane < machine_.places().lanes.size(); ++lane) {
    if (lane > 0 && words[lane] == words[lane - 1]) continue;
    const operation_kind kind = machine_.waits_at(words, lane).kind;
    is_any_together = meets_others(kind);
  }
  if (!is_any_together) return any;
  const state_words before(words.begin(), words.end());
  const std::size_t made_before = made != nullptr ? made->size() : 0;
  repetition<state_words> round(before);
  std::size_t steps = 0;
  for (; steps < run_limit && !machine_.awaits_choice(words) && !machine_.is_cut(); ++steps) {
    if (!group_ahead(words, made)) break;
    if (machine_.awaits_choice(words)) return true;
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
bool steps_ahead::group_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  if (reaches_.has_met_divergence() || machine_.setup().has_points || machine_.owes_some_blocks())
    return false;
  if (machine_.model().makes_promises() || machine_.has_promises(words)) return false;
  const auto take = [&](const transition& t) {
    if (t.ends != ending::none) return false;
    const auto next = groups_.state(t, machine_.words());
    bool exits = false;  // where others mind
    machine_.for_each_lane(t.by, words, [&](std::uint32_t l) {
      exits = exits || (next[l] == exited && !may_go_to(words, l, exited));
    });
    if (exits) return false;
    if (made != nullptr) made->push_back(t.by);
    std::ranges::copy(next, words.begin());
    return true;
  };
  const auto waits_at_any = [&](std::uint32_t first, std::uint32_t lanes, operation_kind kind) {
    for (std::uint32_t lane = first; lane < first + lanes; ++lane) {
      if (words[lane] != exited && machine_.waits_at(words, lane).kind == kind) return true;
    }
    return false;
  };
  for (std::uint32_t w = 0; w < machine_.places().warps.size(); ++w) {
    const warp_place& warp = machine_.places().warps[w];
    if (!machine_.is_resident(words, warp.block)) continue;
    if (!waits_at_any(warp.first, warp.lanes, operation_kind::collective)) continue;
    groups_.clear();
    machine_.collective_steps(words, w, groups_);
    if (groups_.here != ending::none) continue;
    for (const transition& t : groups_.transitions) {
      const auto lane = warp.first + static_cast<std::uint32_t>(std::countr_zero(t.by.mask));
      if (machine_.waits_at(words, lane).collective == detail::collective_kind::activemask)
        continue;
      if (take(t)) return true;
    }
  }
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  for (std::uint32_t b = 0; b < machine_.setup().grid.blocks; ++b) {
    if (!machine_.is_resident(words, b)) continue;
    if (!waits_at_any(b * threads, threads, operation_kind::barrier)) continue;
    groups_.clear();
    machine_.barriers().steps_of_block(words, b, groups_);
    if (groups_.here != ending::none) continue;
    for (const transition& t : groups_.transitions) {
      if (t.by.what == choice::kind::block && take(t)) return true;
    }
  }
  groups_.clear();
  machine_.barriers().wide_steps(words, groups_);
  return groups_.here == ending::none &&
         std::ranges::any_of(groups_.transitions, [&](const transition& t) { return take(t); });
}

bool steps_ahead::lanes_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  const std::uint32_t count = machine_.units();
  bool any = false;
  std::vector<char>& loops = loops_;  // units that loop in such steps: left alone
  loops.assign(count, 0);
  for (bool more = true; more;) {
    more = false;
    // Steps of other lanes might change whether these units are owed progress.
    if (machine_.owes_some_blocks()) machine_.list_owed(words, owed_);
    for (std::uint32_t unit = 0; unit < count; ++unit) {
      if (machine_.is_cut()) return any;
      if (loops[unit] != 0) continue;
      if (machine_.owes_some_blocks() && owed_[unit] == 0) continue;
      // A unit that is symmetric to the one before could not run ahead, either.
      if (!machine_.has_stacks() && machine_.may_repeat() &&
          machine_.symmetry_of_lanes()->repeats(words, unit) &&
          machine_.lanes().traits(words[unit]).what != operation_traits::kind::silent) {
        continue;
      }
      const std::optional<std::uint32_t> lane = lane_ahead(words, unit);
      if (!lane) continue;
      if (!unit_ahead(words, unit, *lane, made)) continue;
      more = any = true;
      if (machine_.has_stacks() && machine_.awaits_choice(words)) return true;
    }
  }
  return any;
}

// Moves the unit on as long as its steps concern no other lane. Returns whether it has moved. A
// unit that would loop for ever stops at one state of its cycle, and is marked in loops_.
// That state does not depend on where the unit entered the cycle. A unit that comes to no earlier
// state in `run_limit` steps is cut off where it is, and marked, too.
bool steps_ahead::unit_ahead(std::span<std::uint32_t> words, std::uint32_t unit,
                             std::uint32_t begin, std::vector<choice>* made) {
  const std::uint32_t first = machine_.has_stacks() ? machine_.places().warps[unit].first : unit;
  const std::uint32_t lanes = machine_.has_stacks() ? machine_.places().warps[unit].lanes : 1;
  using snapshot = std::vector<std::uint32_t>;  // all that the unit's steps may change
  const auto take = [&](snapshot& s) {
    s.assign(words.begin() + first, words.begin() + first + lanes);
    s.push_back(words[machine_.memory_word()]);
    s.push_back(words[machine_.status_word()]);
    if (machine_.has_stacks()) s.push_back(words[machine_.stack_word(unit)]);
  };
  const auto put = [&](const snapshot& s) {
    std::copy_n(s.begin(), lanes, words.begin() + first);
    words[machine_.memory_word()] = s[lanes];
    words[machine_.status_word()] = s[lanes + 1];
    if (machine_.has_stacks()) words[machine_.stack_word(unit)] = s[lanes + 2];
  };
  std::optional<std::uint32_t> lane;
  const auto step = [&](bool keep) {
    machine_.look_at_time(machine_.words());
    step_of(words, *lane);
    if (keep && made != nullptr) made->push_back({choice::kind::lane, *lane, 0});
    lane = machine_.has_stacks() && machine_.stack(words, unit).awaits_choice()
               ? std::nullopt
               : lane_ahead(words, unit);
  };
  snapshot before, now;
  take(before);
  repetition<snapshot> round(before);
  const std::size_t made_before = made != nullptr ? made->size() : 0;
  lane = begin;
  bool repeats = false;
  for (std::size_t steps = 0; lane && !repeats && steps < run_limit; ++steps) {
    step(true);
    take(now);
    repeats = round.is_seen_in(now);
  }
  if (!lane) return true;
  loops_[unit] = 1;
  if (!repeats) {
    ++cut_runs_;
    return true;
  }

  // The state to stop at. Of the states in which all active lanes are level in lockstep, it is the
  // least one, whatever the order of lanes.
  const auto is_level = [&] {
    return !machine_.has_stacks() ||
           machine_.front(words, unit) ==
               (machine_.stack(words, unit).active & machine_.alive(words, unit));
  };
  const auto is_less = [&](const snapshot& a, const snapshot& b) {
    snapshot lanes_a(a.begin(), a.begin() + lanes);
    snapshot lanes_b(b.begin(), b.begin() + lanes);
    std::ranges::sort(lanes_a);
    std::ranges::sort(lanes_b);
    if (lanes_a != lanes_b) return lanes_a < lanes_b;
    return machine_.addresses().is_less(machine_.stores().images[a[lanes]],
                                        machine_.stores().images[b[lanes]]);
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

// Only asked once such a state was met. The divergence would end the run for all lanes. Under
// `stack`, the lane may take its warp past branches to such a place. An exit may leave a warp with
// only lanes that wait at a barrier, which has then arrived there.
bool steps_ahead::may_diverge_at(continuation next) {
  if (!reaches_.has_met_divergence()) return false;
  using kind = operation_traits::kind;
  const kind what = machine_.lanes().traits(next).what;
  if (what == kind::collective || what == kind::barrier) return true;
  return what == kind::exited || (machine_.has_stacks() && what == kind::branch);
}

// Whether running ahead may lead to `next`. The end of a block may make room for another one.
bool steps_ahead::may_go_to(state_view state, std::uint32_t lane, continuation next) {
  if (may_diverge_at(next)) return false;
  if (next != exited) return true;
  if (!machine_.all_resident()) return false;
  // An access to the shared memory of a block that has ended is an error.
  if (machine_.setup().grid.cluster == 1) return true;
  others_.look_at(state.first(machine_.places().lanes.size()));
  return !others_.beyond_warp(lane, reaches_.cells_of(uses_.stand_ins().of_ended_blocks(), 1),
                              footprints::bit_of(footprints::use::read), footprints::horizon::end);
}

// The only outcome of a lane's step at memory. If a load has several, its newest message counts if
// the lane would wait at the same load again with each older one. Null: there is none.
const transition* steps_ahead::way_on(state_view state, std::uint32_t lane,
                                      const successor_list& all) {
  if (all.transitions.size() == 1) return &all.transitions.front();
  if (machine_.has_stacks() || machine_.waits_at(state, lane).memory != detail::memory_kind::load)
    return nullptr;
  const transition* newest = nullptr;
  for (const transition& t : all.transitions) {
    if (t.ends != ending::none) return nullptr;
    const auto after = all.state(t, machine_.words());
    const bool waits = after[lane] == state[lane] &&
                       after[machine_.status_word()] == state[machine_.status_word()];
    const bool is_newest = t.by.mask == 0;
    if (waits == is_newest) return nullptr;
    if (is_newest) newest = &t;
  }
  return newest;
}

bool steps_ahead::step_of(std::span<std::uint32_t> words, std::uint32_t lane) {
  // A lane must not repeat a return, because the monitor sees each return.
  if (machine_.is_cut()) return false;
  const bool acts_on_image =
      machine_.lanes().traits(words[lane]).what == operation_traits::kind::access &&
      machine_.traits_of_memory().is_image;
  if (!acts_on_image && machine_.is_memory_step(words[lane])) {
    successor_list all;
    machine_.memory_steps(words, lane, all);
    const transition* const only = way_on(words, lane, all);
    if (only == nullptr || only->ends != ending::none) return false;
    std::ranges::copy(all.state(*only, machine_.words()), words.begin());
  } else if (acts_on_image) {
    const lane_steps::access_result r =
        machine_.lanes().carry_out(lane, words[lane], words[machine_.memory_word()]);
    words[lane] = r.next;
    words[machine_.memory_word()] = r.memory;
  } else {
    if (machine_.lanes().traits(words[lane]).what == operation_traits::kind::event) {
      words[machine_.status_word()] =
          machine_.history().after_event(words[machine_.status_word()], lane, words[lane]);
    }
    words[lane] = machine_.lanes().advance(lane, words[lane], 0);
  }
  if (machine_.remembers_steps()) {  // hsa_obe owes the lowest block progress before it has started
    words[machine_.status_word()] = machine_.status_with_step(words[machine_.status_word()],
                                                              machine_.places().lanes[lane].block);
  }
  if (machine_.has_stacks()) machine_.settle_warp(words, machine_.places().lanes[lane].warp);
  return true;
}

std::optional<std::uint32_t> steps_ahead::lane_ahead(state_view state, std::uint32_t unit) {
  if (!machine_.is_resident(state, machine_.block_of_unit(unit))) return std::nullopt;
  if (!machine_.has_stacks()) {
    return concerns_nobody(state, unit, 0) ? std::optional(unit) : std::nullopt;
  }
  const std::uint32_t enabled = machine_.front(state, unit);
  const warp_place& w = machine_.places().warps[unit];
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (in(enabled, i) && concerns_nobody(state, w.first + i, enabled)) return w.first + i;
  }
  return std::nullopt;
}

// Whether the step of `lane` concerns no other lane. `lockstep`: the lanes of the warp at the same
// instruction.
bool steps_ahead::concerns_nobody(state_view state, std::uint32_t lane, std::uint32_t lockstep) {
  if (!machine_.traits_of_memory().is_image) return concerns_nobody_in_memory(state, lane);
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = machine_.lanes().traits(c);
  // In lockstep, each lane passes a syncwarp by itself.
  const operation& here = machine_.program().at(c);
  const bool passes = settings_.trusts_lockstep && here.kind == operation_kind::collective &&
                      here.collective == detail::collective_kind::syncwarp;
  if (t.what == kind::silent || passes) {
    return machine_.lanes().points_from(lane, machine_.lanes().next(c, 0)) == 0 &&
           may_go_to(state, lane, machine_.lanes().advance(lane, c, 0));
  }
  // A return at once excludes the most orders of operations. A later return would show no other
  // violation.
  if (t.what == kind::event && here.kind == operation_kind::returned) {
    return may_go_to(state, lane, machine_.lanes().advance(lane, c, 0));
  }
  if (t.what != kind::access || machine_.is_bad_access(state, lane, t)) return false;
  if (!is_left_alone(state, lane, lockstep)) return false;
  const lane_steps::access_result r =
      machine_.lanes().carry_out(lane, c, state[machine_.memory_word()]);
  if (!uses_.leads_as_others(c, t, r.first)) return false;
  // Other lanes see an operation that takes effect.
  return machine_.lanes().points_from(lane, r.first) == 0 && may_go_to(state, lane, r.next);
}

bool steps_ahead::is_left_alone(state_view state, std::uint32_t lane, std::uint32_t lockstep) {
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = machine_.lanes().traits(c);
  const footprints::cell_range cells = reaches_.cells_of(t.offset, t.size);
  // What the access needs: a pool node that is in use, or another block that has not ended.
  const bool is_remote = t.block != no_block && t.block != machine_.places().lanes[lane].block;
  const access_uses::node_range taken = uses_.nodes_of_take(machine_.program().at(c));
  const footprints::cell_range node =
      t.node != no_node  ? reaches_.cells_of(uses_.stand_ins().of_node(t.node), 1)
      : taken.count != 0 ? reaches_.cells_of(uses_.stand_ins().of_node(taken.first), taken.count)
      : is_remote        ? reaches_.cells_of(uses_.stand_ins().of_ended_blocks(), 1)
                         : footprints::cell_range{};
  others_.look_at(state.first(machine_.places().lanes.size()));
  // No lane waits at a barrier for an ended lane, or learns there what that lane has done. So where
  // barriers must keep a location uncontested, accesses of others behind the barriers count, too.
  // Otherwise it suffices that others cannot get there while this lane stands here.
  using horizon = footprints::horizon;
  const bool is_agent = machine_.setup().grid.is_agent(machine_.places().lanes[lane].warp);
  const auto until = [&](horizon barrier) {
    // No barrier waits for an agent. (Of an image, gates suffice: docs/kernels.md, "Bulk copies".)
    if (is_agent && !machine_.traits_of_memory().is_image) return horizon::end;
    const bool may_end_first =
        !machine_.traits_of_memory().is_image && machine_.model().is_in_order(t.offset) &&
        reaches_.reads(c, reaches_.cells_of(uses_.stand_ins().of_exit(), 1), barrier);
    return may_end_first ? horizon::end : barrier;
  };
  const footprints::use how = uses_.of(c, t);
  const footprints::use_set conflicting = footprints::conflicting(how);
  // A node in use stays in use until some lane retires it. A node that is not in use may be handed
  // out again, and then accesses to it are valid again.
  const bool changes_nodes = retires_node(machine_.program().at(c)) || taken.count != 0;
  const footprints::use_set of_node =
      footprints::conflicting(changes_nodes ? footprints::use::written : footprints::use::read);
  const horizon block = until(horizon::block);
  const bool may_meet_beyond_warp = others_.beyond_warp(lane, cells, conflicting, block) ||
                                    others_.beyond_warp(lane, node, of_node, block);
  const auto may_meet_in_warp = [&] {
    const horizon warp = until(machine_.has_stacks() ? horizon::block : horizon::warp);
    return others_.in_warp(lane, cells, conflicting, warp) ||
           others_.in_warp(lane, node, of_node, warp);
  };
  if (!settings_.trusts_lockstep) {
    return (!may_meet_beyond_warp && !may_meet_in_warp()) || stays_alone(state, lane, false);
  }
  const warp_place& warp = machine_.places().warps[machine_.places().lanes[lane].warp];
  const bool may_race = reaches_.may_race(cells);
  // No lane of the warp passes this instruction before `lane`. But the step behind this one may be
  // the other access of a race. Its lane may pass the instruction, or wait at the next one, or wait
  // for the other side of a branch.
  for (std::uint32_t other = warp.first; other < warp.first + warp.lanes; ++other) {
    if (other == lane || state[other] == exited) continue;
    const bool is_level = in(lockstep, other - warp.first);
    if (!is_level && !may_race) continue;
    const operation_traits o = machine_.lanes().traits(state[other]);
    const bool goes_further = is_level || o.what == operation_traits::kind::branch;
    if (may_race &&
        ((goes_further && reaches_.may_any(state[other], conflicting, cells, horizon::warp)) ||
         reaches_.may_any(state[other], of_node, node, horizon::warp)))
      return false;
    if (o.what == kind::access && footprints::has(conflicting, uses_.of(state[other], o)) &&
        o.offset < t.offset + t.size && t.offset < o.offset + o.size) {
      return false;
    }
  }
  return !may_meet_beyond_warp || stays_alone(state, lane, true);
}

bool steps_ahead::stays_alone(state_view state, std::uint32_t lane, bool only_beyond_warp) {
  if (without_ == nullptr) return false;
  const operation_traits t = machine_.lanes().traits(state[lane]);
  // Promised stores may pass the operation at which their lane waits. At an uncontested location,
  // barriers have to keep the accesses apart.
  if (machine_.model().makes_promises() || machine_.has_promises(state)) return false;
  // A strong load may return what another lane stores behind something that this lane does later.
  const operation& op = machine_.program().at(state[lane]);
  const bool stands = !machine_.model().has_circles() || is_store(op) || !access_of(op).strong;
  const bool has_order = !machine_.traits_of_memory().is_image &&
                         machine_.model().is_in_order(t.offset) &&
                         !is_of_desk(machine_.program().at(state[lane]));
  if (has_order) return false;
  return !machine_.renames() &&
         without_->leaves_alone(state, lane, only_beyond_warp, ends_waits(state, lane), stands);
}

// Whether other lanes may wait for this access, so that it should be carried out first. No cycle of
// states has this access, since the lane never comes back to it. No fair run stops in front of it.
bool steps_ahead::ends_waits(state_view state, std::uint32_t lane) {
  const continuation c = state[lane];
  const operation& op = machine_.program().at(c);
  if (!machine_.traits_of_memory().is_image || machine_.has_stacks() ||
      machine_.setup().progress != progress::fair)
    return false;
  if (!op.writes() || machine_.lanes().traits(c).suspicious) return false;
  // A lane that waits at a pool node may not access it before the node is allocated.
  if (op.memory == detail::memory_kind::pool_take || retires_node(machine_.program().at(c)))
    return false;
  return !reaches_.comes_again(c);
}

// docs/reductions.md, "Steps that commute where memory is weak".
bool steps_ahead::concerns_nobody_in_memory(state_view state, std::uint32_t lane) {
  using kind = operation_traits::kind;
  const continuation c = state[lane];
  const operation_traits t = machine_.lanes().traits(c);
  if (t.what != kind::silent && t.what != kind::access) return false;
  machine_.look_at_time_for_memory();
  const memory_request asked = machine_.request_of(state, lane);
  if (t.what == kind::access) {
    // Which lane has a pool node matters to other lanes.
    const bool is_pools = t.node != no_node || asked.op.memory == detail::memory_kind::pool_take;
    if (is_pools || machine_.is_bad_access(state, lane, t)) return false;
  }
  const bool is_load = t.what == kind::access && asked.op.memory == detail::memory_kind::load &&
                       !machine_.has_stacks();
  const bool arrives = t.what == kind::access && machine_.model().arrives_in_phase(asked);
  const bool wavers = !machine_.model().may_go_ahead(asked, machine_.has_stacks(), arrives);
  if (wavers && !(is_load && machine_.model().may_go_ahead(asked, machine_.has_stacks(), true)))
    return false;
  // The memory of another block ends with that block, whatever other lanes access it.
  const bool is_remote = t.block != no_block && t.block != machine_.places().lanes[lane].block;
  if (is_remote && arrives) return false;
  if (t.what == kind::access && (is_remote || machine_.model().is_shared(t.offset)) && !arrives) {
    if (!is_left_alone(state, lane, 0)) return false;
    if (machine_.model().is_in_order(t.offset)) {
      std::uint64_t old = 0;
      std::memcpy(&old, machine_.image(state).data() + t.offset, t.size);
      if (!uses_.leads_as_others(c, t, machine_.lanes().next(c, simt::answer(asked.op, old))))
        return false;
    }
  }
  state_words after(state.begin(), state.end());
  if (!step_of(after, lane)) return false;
  // Then no cycle of states has this step, so the remaining states show whether memory is fair.
  if (wavers && uses_.may_come_to(after[lane], reaches_.cells_of(t.offset, t.size))) return false;
  if (machine_.model().tells_others(asked.op, state[machine_.memory_word()],
                                    after[machine_.memory_word()]))
    return false;
  // Parked lanes promise nothing, so a step must not change which lanes may promise.
  const std::size_t stack =
      machine_.has_stacks() ? machine_.stack_word(machine_.places().lanes[lane].warp) : 0;
  if (machine_.has_stacks() && machine_.model().makes_promises() && after[stack] != state[stack])
    return false;
  const bool passes_point = machine_.status(after).history != machine_.status(state).history;
  return !passes_point && may_go_to(state, lane, after[lane]);
}

}  // namespace simt
