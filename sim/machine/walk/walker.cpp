// Carries out steps of single lanes, and keeps track of which lanes are ready.
#include "sim/machine/walk/walker.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <xxhash.h>

namespace simt {
namespace {

// With more cells than this, several places share a cell, and a search for races may find none.
constexpr std::size_t most_cells = std::size_t{1} << 16;
// After this many branches in a row without a step, the machine is asked what is wrong.
constexpr int few_moves = 100;

}  // namespace

walker::walker(simt::machine& of)
    : machine_(of),
      places_(of.places()),
      stacks_(of.has_stacks()),
      couples_(of.couples_steps()),
      image_size_(of.setup().memory->image_size()),
      cell_mask_(std::bit_ceil(std::clamp<std::size_t>(image_size_ / 4 + 1, 1, most_cells)) - 1) {
  if (of.is_symmetric()) throw std::logic_error("a walker follows machines without reductions");
  assign(of.initial());
  start_ = now_;
  start_race_ = race_;
}

void walker::restart() {
  now_ = start_;
  ++run_;
  steps_ = changes_ = news_ = 0;
  last_lane_ = none;
  race_.reset();
  if (watching_) race_ = start_race_;
}

void walker::assign(state_view state) {
  now_.words.assign(state.begin(), state.end());
  const auto image = machine_.image(state);
  now_.bytes.assign(image.begin(), image.end());
  now_.bytes.resize(image.size() + 8, 0);  // accesses use 8 bytes at a time
  ++run_;
  steps_ = changes_ = news_ = 0;
  last_lane_ = none;
  race_.reset();
  load();
}

state_words walker::state() {
  for (std::uint32_t b = 0; b < places_.shape.blocks; ++b) sync_stacks(b);
  state_words words = now_.words;
  words[machine_.memory_word()] = machine_.stores().images.intern(memory());
  return words;
}

bool walker::can(const choice& by) const {
  switch (by.what) {
    case choice::kind::side: {
      const auto next = sides();
      return !now_.awaits_block && next && next->warp == by.unit &&
             std::ranges::find(next->sides, by.mask) != next->sides.end();
    }
    case choice::kind::dispatch:
      return now_.awaits_block && by.unit < places_.shape.blocks &&
             machine_.status(now_.words).started[by.unit] == 0;
    case choice::kind::lane:
      return !awaits_choice() && !diverges() && by.unit < now_.position.size() &&
             is_ready(by.unit) && is_answer(by);
    case choice::kind::group:
    case choice::kind::block:
    case choice::kind::launch:
      return !awaits_choice() && !diverges() &&
             std::ranges::any_of(now_.joint, [&](const joint_step& j) {
               if (j.by.what != by.what || j.by.unit != by.unit) return false;
               return j.any_set ? by.mask != 0 && (by.mask & ~j.by.mask) == 0
                                : by.mask == j.by.mask;
             });
    case choice::kind::promise: break;  // only for weak memories, which no walker has
  }
  return false;
}

bool walker::is_answer(const choice& by) const {
  const std::uint32_t values = values_to_choose(by.unit);
  return by.is_at_choose() ? by.chosen() < values : values == 0;
}

ending walker::perform(const choice& by) {
  switch (by.what) {
    case choice::kind::lane: return step(by);
    case choice::kind::side: side_step(by); return ending::none;
    case choice::kind::dispatch: dispatch_step(by); return ending::none;
    case choice::kind::block:
    case choice::kind::group:
    case choice::kind::launch:
    case choice::kind::promise: break;
  }
  ++steps_;
  news_ = steps_;
  last_lane_ = none;
  if (by.what == choice::kind::launch) {
    launch_step(by);
    return ending::none;
  }
  const bool of_block = std::ranges::any_of(now_.joint, [&](const joint_step& j) {
    return j.by == by && j.owner >= places_.warps.size();
  });
  return of_block ? barrier_step(by) : collective_step(by);
}

std::uint64_t walker::fingerprint(std::uint32_t unit) const {
  if (!stacks_) return now_.words[unit];
  const warp_place& place = places_.warps[unit];
  const warp_state& w = now_.warps[unit];
  std::uint64_t mixed = XXH3_64bits(now_.words.data() + place.first, place.lanes * 4);
  mixed = XXH3_64bits_withSeed(w.sides.data(), w.sides.size() * 4, mixed ^ w.active);
  return XXH3_64bits_withSeed(w.frames.data(), w.frames.size() * sizeof(frame), mixed);
}

// --- what is known of continuations ---

void walker::learn(continuation c) {
  while (nodes_.size() <= c) {
    const auto number = static_cast<continuation>(nodes_.size());
    const operation_traits t = machine_.lanes().traits(number);
    const operation& op = machine_.program().at(number);
    node n;
    n.what = t.what;
    n.is_access = t.what == kind::access;
    n.is_alone = t.what == kind::access || t.what == kind::bad_access || t.what == kind::silent ||
                 t.what == kind::choose || t.what == kind::event || t.what == kind::fail ||
                 (stacks_ && t.what == kind::collective &&
                  op.collective == detail::collective_kind::syncwarp);
    if (n.is_access) {
      n.size = t.size;
      n.has_node = t.node != no_node;
      n.has_marks = t.written.bits != 0 || t.mbarrier.bit != 0;
      n.offset = t.offset;
      n.block = t.block;
      n.weight = one_access + (t.writes ? one_write : 0) + (t.suspicious ? one_suspect : 0);
    }
    if (t.what == kind::branch) {
      n.offset = op.target;
      n.block = op.block;
    }
    nodes_.push_back(n);
    if (stacks_) sequence_.push_back(op.sequence);
  }
}

// Checks the time limit after device code has run, which may take long. Throws
// lane_automaton::given_up.
void walker::look_at_time() {
  const std::uint64_t runs = machine_.program().lanes().runs();
  if (std::exchange(device_runs_, runs) != runs) machine_.program().give_up_in_time();
}

bool walker::take_marks(continuation c) {
  const operation_traits& t = machine_.lanes().traits(c);
  if (t.misuses_mbarrier(memory())) return false;
  if (t.needs_value && !t.written.any_in(memory())) return false;
  if (t.changes_marks(memory())) {
    t.change_marks(now_.bytes);
    ++changes_;
    news_ = steps_;
  }
  return true;
}

// Learns the effect of an access on the value `old`. Returns the slot where it is stored.
std::size_t walker::learn_effect(continuation c, std::uint64_t old) {
  const operation op = machine_.program().at(c);
  const continuation next = machine_.program().next(c, answer(op, old));
  look_at_time();
  known(next);
  node& n = nodes_[c];
  const std::size_t slot = old * 0x9e3779b97f4a7c15U >> 63;
  n.old[slot] = old;
  n.fresh[slot] = apply(op, old);
  n.next[slot] = next;
  return slot;
}

// The continuation after `c` with the answer 0, for any lane.
continuation walker::pass(continuation c) {
  if (nodes_[c].next[0] == none) {
    const continuation next = machine_.program().next(c, 0);
    look_at_time();
    known(next);
    nodes_[c].next[0] = next;
  }
  return nodes_[c].next[0];
}

// `c` if it takes a step; otherwise the first continuation behind it that takes one.
continuation walker::rest(std::uint32_t lane, continuation c) {
  for (int i = 0; i < few_moves && nodes_[c].what == kind::branch && !stacks_; ++i) c = pass(c);
  if (rests(nodes_[c])) return c;
  const continuation rest = machine_.lanes().settle(lane, c);
  known(rest);
  return rest;
}

// The next stop of a lane that gets `answer` at `c`, which is no access.
continuation walker::after(std::uint32_t lane, continuation c, std::uint64_t answer) {
  if (answer == 0) return rest(lane, pass(c));
  const continuation next = machine_.lanes().advance(lane, c, answer);
  known(next);
  return next;
}

// --- steps of single lanes ---

ending walker::rare_step(const choice& by, continuation c) {
  const std::uint32_t lane = by.unit;
  const node& n = nodes_[c];
  if (n.is_access && owns(lane, n) && !(n.has_node && is_freed(c))) {
    return machine_.lanes().traits(c).misuses_mbarrier(memory()) ? ending::mbarrier_misuse
                                                                 : ending::unwritten_read;
  }
  if (n.is_access || n.what == kind::bad_access) return ending::bad_access;
  if (n.what == kind::fail) return ending::assertion;
  last_lane_ = none;
  if (n.what == kind::event) {
    std::uint32_t& status = now_.words[machine_.status_word()];
    status = machine_.history().after_event(status, lane, c);
    news_ = steps_;
  }
  // The operation is an event, a fence, nanosleep, choose, or syncwarp under `stack`.
  const std::uint32_t answer = by.chosen();
  pass_points(lane, answer == 0 ? pass(c) : machine_.lanes().next(c, answer));
  go(lane, after(lane, c, answer));
  return ending::none;
}

// Passes the linearization points on the way to the next step.
void walker::pass_points(std::uint32_t lane, continuation first) {
  std::uint32_t& status = now_.words[machine_.status_word()];
  const std::uint32_t after = machine_.after_points(status, lane, first);
  if (after == status) return;
  status = after;
  news_ = steps_;
}

void walker::go(std::uint32_t lane, continuation next) {
  if (!rests(nodes_[next])) [[unlikely]]
    next = rest(lane, next);
  if (nodes_[next].seen != run_) {
    nodes_[next].seen = run_;
    news_ = steps_;
  }
  if (stacks_) return go_in_lockstep(lane, next);
  if (next == now_.words[lane]) return;
  uncount(nodes_[now_.words[lane]]);
  if (nodes_[next].is_alone) {
    now_.words[lane] = next;
    return count(lane, nodes_[next]);
  }
  disable(lane);
  place(lane, next);
  const std::uint32_t warp = places_.lanes[lane].warp;
  switch (nodes_[next].what) {
    case kind::exited: after_exit(warp); break;
    case kind::collective: arrive_at_collective(lane); break;
    case kind::endless: break;
    default: consider_barrier(warp, lane); break;
  }
}

// Puts a lane that is not ready at `next`. Does not check which lanes waited for it.
void walker::place(std::uint32_t lane, continuation next) {
  const auto& [block, warp, index] = places_.lanes[lane];
  warp_state& w = now_.warps[warp];
  const std::uint32_t bit = 1U << index;
  now_.words[lane] = next;
  switch (nodes_[next].what) {
    case kind::exited:
      w.alive &= ~bit;
      w.active &= ~bit;
      --now_.living;
      --now_.living_in[block];
      break;
    case kind::branch: w.at_branch |= bit; break;
    case kind::barrier:
      w.at_barrier |= bit;
      ++now_.waiting[block];
      break;
    case kind::collective:
      if (!stacks_) w.at_collective |= bit;
      break;
    case kind::endless: break;  // never goes on
    default:
      if (!stacks_) enable(lane);
      break;
  }
}

// Checks the waiting lanes after a lane has exited.
void walker::after_exit(std::uint32_t warp) {
  const std::uint32_t block = places_.warps[warp].block;
  if (now_.warps[warp].at_collective != 0) check_collectives(warp);
  consider_barrier(warp, none);
  if (places_.shape.cluster > 1) check_wide_barriers();
  check_halves(block);
  if (!machine_.all_resident() && now_.living_in[block] == 0) dispatch();
  consider_launch();
}

// --- who is ready ---

void walker::enable(std::uint32_t lane) {
  now_.position[lane] = static_cast<std::uint32_t>(now_.ready.size());
  now_.ready.push_back(lane);
  now_.warps[places_.lanes[lane].warp].ready |= 1U << places_.lanes[lane].index;
  const node& n = nodes_[now_.words[lane]];
  count(lane, n);
  // The last step may have enabled an access that conflicts with its own.
  if (!watching_ || last_lane_ == none || lane == last_lane_ || !n.is_access || race_) return;
  const node& last = nodes_[last_at_];
  const bool near = last.offset < n.offset + n.size && n.offset < last.offset + last.size;
  const bool may_race =
      ((last.weight | n.weight) & one_suspect) != 0 || machine_.lanes().has_mixed_sizes();
  if (near && may_race && machine_.conflict(last_lane_, last_at_, lane, now_.words[lane])) {
    race_ = {last_lane_, lane, true};
  }
}

// Makes a lane no longer ready. The caller calls uncount().
void walker::disable(std::uint32_t lane) {
  const std::uint32_t at = now_.position[lane];
  const std::uint32_t other = now_.ready.back();
  now_.ready[at] = other;
  now_.position[other] = at;
  now_.ready.pop_back();
  now_.position[lane] = none;
  now_.warps[places_.lanes[lane].warp].ready &= ~(1U << places_.lanes[lane].index);
}

void walker::count(std::uint32_t lane, const node& n) {
  if (!n.is_access) return;
  const std::size_t last = (n.offset + n.size - 1U) / 4;
  for (std::size_t i = n.offset / 4; i <= last; ++i) {
    cell& k = now_.cells[i & cell_mask_];
    k += n.weight;
    if (!watching_ || race_) continue;
    const bool several = (k & 0xffff) > 1 && (k >> 16 & 0xffff) != 0;
    if (several && (k >= one_suspect || machine_.lanes().has_mixed_sizes())) look_for_race(lane);
  }
}

void walker::uncount(const node& n) {
  if (!n.is_access) return;
  const std::size_t last = (n.offset + n.size - 1U) / 4;
  for (std::size_t i = n.offset / 4; i <= last; ++i) now_.cells[i & cell_mask_] -= n.weight;
}

void walker::look_for_race(std::uint32_t lane) {
  const continuation c = now_.words[lane];
  for (const std::uint32_t other : now_.ready) {
    if (other == lane || !machine_.conflict(lane, c, other, now_.words[other])) continue;
    race_ = {lane, other, false};
    return;
  }
}

// --- whole blocks ---

void walker::load() {
  const std::size_t owners = std::size_t{wide_owner()} + 1;
  now_.warps.assign(places_.warps.size(), {});
  now_.ready.clear();
  now_.position.assign(places_.lanes.size(), none);
  now_.cells.assign(cell_mask_ + 1, 0);
  now_.joint.clear();
  now_.parted.clear();
  now_.diverging.assign(owners, 0);
  now_.divergences = 0;
  now_.waiting.assign(places_.shape.blocks, 0);
  now_.living_in.assign(places_.shape.blocks, 0);
  now_.living = 0;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    known(now_.words[lane]).seen = run_;
    if (now_.words[lane] == exited) continue;
    const auto& [block, warp, index] = places_.lanes[lane];
    now_.warps[warp].alive |= 1U << index;
    ++now_.living_in[block];
    ++now_.living;
  }
  for (std::uint32_t b = 0; b < places_.shape.blocks; ++b) {
    if (machine_.is_resident(now_.words, b)) load_block(b);
  }
  now_.awaits_block = machine_.awaits_dispatch(now_.words);
  consider_launch();
}

// Takes in the words of the block. None of its lanes may be ready, and `alive` must be up to date.
void walker::load_block(std::uint32_t block) {
  const std::uint32_t warps = places_.shape.warps();
  now_.waiting[block] = 0;
  for (std::uint32_t warp = block * warps; warp < (block + 1) * warps; ++warp) {
    warp_state& w = now_.warps[warp];
    w.at_collective = w.at_barrier = w.at_branch = 0;
    if (stacks_) load_stack(warp);
    const warp_place& at = places_.warps[warp];
    for (std::uint32_t i = 0; i < at.lanes; ++i) {
      if (!in(w.alive, i)) continue;
      known(now_.words[at.first + i]);
      place(at.first + i, now_.words[at.first + i]);
    }
    w.alike = w.at_collective == 0;
  }
  for (std::uint32_t warp = block * warps; warp < (block + 1) * warps; ++warp) {
    if (stacks_) come_to_front(warp);
    if (now_.warps[warp].at_collective != 0) check_collectives(warp);
  }
  if (now_.waiting[block] != 0) check_barrier(block);
}

/// Loads the blocks that have started since `before`.
void walker::load_started(const grid_status& before) {
  const grid_status& after = machine_.status(now_.words);
  for (std::uint32_t b = 0; b < places_.shape.blocks; ++b) {
    if (after.started[b] == 0 || before.started[b] != 0) continue;
    withdraw_block(b);
    load_block(b);
  }
}

// Takes back all that is known of a block's lanes. Then their words may be changed.
void walker::withdraw_block(std::uint32_t block) {
  const std::uint32_t warps = places_.shape.warps();
  drop_joint(static_cast<std::uint32_t>(places_.warps.size()) + block);
  for (std::uint32_t warp = block * warps; warp < (block + 1) * warps; ++warp) {
    drop_joint(warp);
    std::erase(now_.parted, warp);
    const warp_place& place = places_.warps[warp];
    for (std::uint32_t lane = place.first; lane < place.first + place.lanes; ++lane) {
      if (!is_ready(lane)) continue;
      uncount(nodes_[now_.words[lane]]);
      disable(lane);
    }
  }
}

}  // namespace simt
