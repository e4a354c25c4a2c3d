// Load buffering: a lane may promise a store, which others then see before the lane carries it out.
//
// Models: docs/memory-model.md, "Load buffering in the machine". A lane may promise any store that
// it would come to if it ran alone, behind a load that is atomic, a read-modify-write, a barrier or
// a fence.sc: without one of these in front of it, the lane may as well carry it out. After each
// step, whoever has promised something must be able to keep it by running alone; what cannot be
// kept is no execution. Where a run ends, all promises must be kept together. Nobody promises
// anything who can take the next step first.
// Axioms: No-thin-air, as far as it is known what depends on what; that some executions have a
// cycle of program order and reads-from, which the other steps alone never have. Does not model:
// dependencies, but for those on a read that decides on a loop. A lane of C++ code does not say
// which of its stores depend on what it has loaded, so a store may be promised whose value would be
// another one if the load returned something else, as long as it comes out as promised in the end.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/machine.hpp"

namespace simt {

/// A lane that runs alone from some state: everything it could do.
class machine::lone_lane {
  static auto key(const promised_store& s) {
    return std::tuple(s.offset, s.size, s.chained, s.old, s.value, s.how.strong, s.how.release,
                      s.how.scope);
  }

 public:
  lone_lane(machine& of, std::uint32_t lane) : machine_(of), lane_(lane) { machine_.lone_ = this; }
  ~lone_lane() { machine_.lone_ = nullptr; }
  lone_lane(const lone_lane&) = delete;
  lone_lane& operator=(const lone_lane&) = delete;

  /// Whether it can come to where all its promises are kept.
  bool keeps_promises(state_view from) {
    return search(from, [this](std::uint32_t memory) {
      const auto image = machine_.stores_.images[memory];
      if (machine_.weak_->promises(image) == promise_state::none) return true;
      return !ptx_memory::has_promises(machine_.weak_->read(image), lane_);
    });
  }

  /// The stores that it comes to, behind something that makes it worth to promise them.
  std::vector<promised_store> stores(state_view from) {
    search(from, [](std::uint32_t) { return false; });
    std::ranges::sort(stores_, {}, key);
    const auto same = std::ranges::unique(stores_, {}, key);
    stores_.erase(same.begin(), same.end());
    return std::move(stores_);
  }

  void note(const promised_store& one) { made_->stores.push_back(one); }

 private:
  // Stops that a lane may come to alone; a lane that stores for ever comes to ever more.
  static constexpr std::size_t most_stops = 5'000;

  machine& machine_;
  std::uint32_t lane_;
  std::vector<promised_store> stores_;
  lone_step* made_ = nullptr;
  successor_list list_;

  struct stop {
    continuation at;
    std::uint32_t memory;
    std::uint32_t crossed;
    friend bool operator==(const stop&, const stop&) = default;
    friend std::size_t hash_value(const stop& s) {
      const std::uint64_t h =
          (std::uint64_t{s.at} << 32 ^ std::uint64_t{s.memory} << 16 ^ s.crossed) *
          0x9e3779b97f4a7c15U;
      return h ^ h >> 32;
    }
  };

  template <class Wanted>
  bool search(state_view from, Wanted wanted) {
    state_words words(from.begin(), from.end());
    std::vector<stop> todo{{from[lane_], machine_.memory_alone(from[machine_.memory_word()], lane_),
                            lone_step::nothing}};
    boost::unordered_flat_set<stop> seen{todo.front()};
    while (!todo.empty()) {
      const stop here = todo.back();
      todo.pop_back();
      if (wanted(here.memory)) return true;
      if (here.at == exited) continue;
      words[lane_] = here.at;
      words[machine_.memory_word()] = here.memory;
      const lone_step& step = step_of(words);
      for (const promised_store& one : step.stores) {
        if (here.crossed != lone_step::nothing && here.crossed != one.offset)
          stores_.push_back(one);
      }
      const std::uint32_t crossed = both(here.crossed, step.crosses);
      for (const auto& [at, memory] : step.next) {
        const stop there{at, memory, crossed};
        if (!seen.insert(there).second) continue;
        if (seen.size() > most_stops) {
          throw lane_runaway("a lane alone has no end to what it might promise to store",
                             machine_.stores_.program.at(here.at).pc);
        }
        todo.push_back(there);
      }
    }
    return false;
  }

  static std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    if (a == lone_step::nothing || a == b) return b;
    return b == lone_step::nothing ? a : lone_step::much;
  }

  /// What a read-modify-write counts for as something crossed. Where a location has nothing but
  /// such, a lane with nothing else in front of a store there may as well carry out all of them
  /// now: they come one behind the other, at the end of the chain. (In lockstep it may have to
  /// wait; and of others' promises it may not be able to acquire yet.)
  [[nodiscard]] std::uint32_t crossing(const operation& op, const operation_traits& t,
                                       std::uint32_t memory) const {
    if (!is_crossed_by_promises(op)) return lone_step::nothing;
    if (op.order == memory_order::seq_cst || op.memory == detail::memory_kind::load ||
        machine_.weak_->rules().facts().ordinary.contains(t.offset)) {
      return lone_step::much;
    }
    const place& here = machine_.places_.lanes[lane_];
    if (machine_.has_stacks() && machine_.places_.warps[here.warp].lanes > 1)
      return lone_step::much;
    const weak_state s = machine_.weak_->read(machine_.stores_.images[memory]);
    const auto x = std::ranges::find(s.locations, t.offset, &memory_location::key);
    const bool is_free =
        x == s.locations.end() || std::ranges::none_of(x->messages, &message::promised);
    return is_free ? t.offset : lone_step::much;
  }

  /// Depends on nothing but the lane, where it stands, and memory.
  const lone_step& step_of(state_view state) {
    const lone_key key{state[machine_.memory_word()], lane_, state[lane_]};
    auto& steps = machine_.alone_.steps;
    if (const auto known = steps.find(key); known != steps.end()) return known->second;
    lone_step step;
    made_ = &step;
    list_.clear();
    go_on(state, list_, step.crosses);
    for (const transition& t : list_.transitions) {
      if (t.ends != ending::none) continue;
      const state_view next = list_.state(t, machine_.words());
      step.next.emplace_back(next[lane_], next[machine_.memory_word()]);
    }
    return steps.emplace(key, std::move(step)).first->second;
  }

  /// What the lane does next, if nobody else does anything. Barriers let it pass.
  void go_on(state_view state, successor_list& out, std::uint32_t& crosses) {
    using kind = operation_traits::kind;
    const continuation c = state[lane_];
    const operation op = machine_.stores_.program.at(c);
    const operation_traits t = machine_.traits(c);
    switch (t.what) {
      case kind::access:
        if (machine_.is_bad_access(state, lane_)) return;
        crosses = crossing(op, t, state[machine_.memory_word()]);
        return machine_.weak_access(state, lane_, out);
      case kind::silent:
        if (op.kind == operation_kind::fence && machine_.is_weak_step(c)) {
          if (op.order == memory_order::seq_cst) crosses = lone_step::much;
          return machine_.weak_access(state, lane_, out);
        }
        break;
      case kind::collective:
        crosses = lone_step::much;
        if (op.collective != detail::collective_kind::syncwarp) return answer(state, op, out);
        break;
      case kind::barrier: crosses = lone_step::much; break;
      case kind::event:
      case kind::branch: break;
      case kind::exited:
      case kind::bad_access:
      case kind::fail:
      case kind::local: return;
    }
    const continuation next = machine_.advance(lane_, c, 0);
    const auto words = out.add({choice::kind::lane, lane_, 0}, state);
    words[lane_] = next;
    if (t.what == kind::event) {
      words[machine_.memory_word()] =
          machine_.memory_after_event(state[machine_.memory_word()], lane_, c);
    }
  }

  /// Whatever lanes have been seen to answer to such a vote: alone, nobody knows what these would.
  void answer(state_view state, const operation& op, successor_list& out) {
    const continuation c = state[lane_];
    for (const std::uint64_t answer : machine_.weak_->answers_to(machine_.vote_of(lane_, op))) {
      const auto next = machine_.next_if_possible(lane_, c, answer);
      if (next) out.add({choice::kind::lane, lane_, 0}, state)[lane_] = *next;
    }
  }
};

// As one lane calls it. Lanes that may change places within their warp have no place there.
vote machine::vote_of(std::uint32_t lane, const operation& op) const {
  const bool moves = is_symmetric() && !symmetry_->fixes_lanes();
  const std::uint32_t first = places_.warps[places_.lanes[lane].warp].first;
  return {op.pc - stores_.program.library().code_begin, op.operand, op.mask, op.shfl,
          moves ? 0 : lane - first};
}

// Where an answer leads that may never come: nowhere, if device code goes wrong with it.
std::optional<continuation> machine::next_if_possible(std::uint32_t lane, continuation at,
                                                      std::uint64_t answer) {
  continuation next = 0;
  {
    const std::lock_guard lock(stores_.lanes_lock);
    next = stores_.program.outcome(at, answer);
    if (stores_.program.at(next).kind == operation_kind::fault) return std::nullopt;
  }
  try {
    return settle(lane, next);
  } catch (const lane_error&) {
    return std::nullopt;
  }
}

// What votes answer in the steps of `state`. Only steps by which all promises can still be kept
// show it: others are none of any execution.
void machine::learn_answers(state_view state, const successor_list& out) {
  for (const transition& t : out.transitions) {
    if (t.by.what != choice::kind::group || t.ends != ending::none) continue;
    const warp_place& w = places_.warps[t.by.unit];
    const auto some = w.first + static_cast<std::uint32_t>(std::countr_zero(t.by.mask));
    const operation& voted = waits_at(state, some);
    if (voted.kind != operation_kind::collective ||
        voted.collective == detail::collective_kind::syncwarp) {
      continue;
    }
    std::array<std::uint64_t, 32> answers;
    std::string why;
    if (!collective_answers(state, t.by.unit, t.by.mask, answers, why)) continue;
    bool news = false;
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      if (!in(t.by.mask, i)) continue;
      const vote call = vote_of(w.first + i, waits_at(state, w.first + i));
      news = weak_->learn_answer(call, answers[i]) || news;
    }
    if (news) throw partition_split{};
  }
}

bool machine::is_crossed_by_promises(const operation& op) {
  const bool loads = op.kind == operation_kind::memory && op.memory != detail::memory_kind::store;
  return (loads && !op.weak) || op.order == memory_order::seq_cst;
}

// Whether a lane that gets this answer comes back to where it was, past what concerns nobody.
bool machine::comes_back(std::uint32_t lane, continuation at, std::uint64_t answer) {
  using kind = operation_traits::kind;
  constexpr int longest = 8;
  continuation next = advance(lane, at, answer);
  for (int i = 0; i < longest && next != at; ++i) {
    const kind what = traits(next).what;
    const bool is_fence = stores_.program.at(next).kind == operation_kind::fence;
    if (what != kind::branch && (what != kind::silent || is_fence)) return false;
    next = advance(lane, next, 0);
  }
  return next == at;
}

void machine::note_store(std::uint32_t lane, continuation at, const memory_access& how,
                         std::uint64_t old, std::uint64_t value) {
  const operation op = stores_.program.at(at);
  const operation_traits t = traits(at);
  promised_store one;
  one.chained = op.memory != detail::memory_kind::store;
  one.changes = !one.chained || value != old;
  // A round of a spin loop that changes nothing: the execution without it has the same outcome, and
  // whoever reads what it stores can read what it has read.
  const bool is_mixed = weak_->rules().facts().mixed.contains(t.offset);
  if (!one.changes && !is_mixed && comes_back(lane, at, simt::answer(op, old))) return;
  one.offset = t.offset;
  one.size = t.size;
  one.address = op.address;
  one.pc = op.pc;
  one.how = how;
  one.how.is_alone = false;
  one.value = value;
  if (one.chained) one.old = old;
  lone_->note(one);
}

bool machine::has_promises(state_view state) const {
  return weak_ && weak_->promises(stores_.images[state[memory_word()]]) != promise_state::none;
}

// Whether the lane's warp is where the lane is, under `stack`. Lanes that are parked, or on the
// side that comes later, promise nothing: their warp comes to their stores when those that it waits
// for have decided where to go, by what they have loaded.
bool machine::is_active(state_view state, std::uint32_t lane) const {
  const std::uint32_t warp = places_.lanes[lane].warp;
  return in(stack(state, warp).active, lane - places_.warps[warp].first);
}

// What a lane starts with when it runs alone. What others know, and could read, is nothing to it:
// so they have ended, and memory forgets for whom it kept things. That makes few memories of many,
// and a lane that stores again and again comes back to where it was.
std::uint32_t machine::memory_alone(std::uint32_t memory, std::uint32_t lane) {
  const std::uint64_t key = std::uint64_t{memory} << 32 | lane;
  if (const auto known = alone_.starts.find(key); known != alone_.starts.end()) {
    return known->second;
  }
  const auto image = stores_.images[memory];
  weak_state s = weak_->read(image);
  ptx_memory::end_others(s, lane);
  const std::uint32_t alone = stores_.images.intern(weak_->write(s, image));
  alone_.starts.emplace(key, alone);
  return alone;
}

bool machine::can_keep(state_view state, std::uint32_t lane) {
  const lone_key key{memory_alone(state[memory_word()], lane), lane, state[lane]};
  if (const auto known = alone_.keeps.find(key); known != alone_.keeps.end()) return known->second;
  const bool keeps = lone_lane(*this, lane).keeps_promises(state);
  alone_.keeps.emplace(key, keeps);
  return keeps;
}

const std::vector<machine::promised_store>& machine::stores_alone(state_view state,
                                                                  std::uint32_t lane) {
  const lone_key key{memory_alone(state[memory_word()], lane), lane, state[lane]};
  if (const auto known = alone_.stores.find(key); known != alone_.stores.end()) {
    return known->second;
  }
  return alone_.stores.emplace(key, lone_lane(*this, lane).stores(state)).first->second;
}

bool machine::can_keep_all(state_view state) {
  if (!has_promises(state)) return true;
  const weak_state s = weak_->read(stores_.images[state[memory_word()]]);
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (ptx_memory::has_promises(s, lane) && !can_keep(state, lane)) return false;
  }
  return true;
}

// Whether all promises can be kept if the run has ended for who takes step `by`. That each lane
// could keep its own if it ran alone is not enough: to keep one may take a step that another one
// rules out. Depth first; who has promised something goes first.
bool machine::can_keep_together(state_view state, const choice& by) {
  constexpr std::size_t most_states = 5'000;
  std::vector<char> ended(places_.lanes.size(), 0);
  for_each_lane(by, state, [&](std::uint32_t lane) { ended[lane] = 1; });
  const weak_state now = weak_->read(stores_.images[state[memory_word()]]);
  for (std::uint32_t lane = 0; has_stacks() && lane < ended.size(); ++lane) {
    // In lockstep with it a lane may not come to its store; that is no reason for it not to happen.
    const bool with = ended[lane] == 0 && ptx_memory::has_promises(now, lane);
    for (std::uint32_t l = 0; with && l < ended.size(); ++l) {
      if (ended[l] != 0 && places_.lanes[l].warp == places_.lanes[lane].warp) return true;
    }
  }
  boost::unordered_flat_set<state_words> seen;
  std::vector<state_words> todo{state_words(state.begin(), state.end())};
  successor_list list;
  while (!todo.empty()) {
    const state_words here = std::move(todo.back());
    todo.pop_back();
    if (!has_promises(here)) return true;
    if (!seen.insert(here).second) continue;
    if (seen.size() > most_states) {
      throw lane_runaway("whether all that lanes have promised can be kept is not decided",
                         stores_.program.at(state[by.unit]).pc);
    }
    const weak_state memory = weak_->read(stores_.images[here[memory_word()]]);
    list_steps(here, list);
    for (const bool promisers : {false, true}) {
      for (const transition& t : list.transitions) {
        if (t.ends != ending::none || t.stays) continue;
        bool goes_on = true, has_promised = false;
        for_each_lane(t.by, here, [&](std::uint32_t lane) {
          goes_on = goes_on && ended[lane] == 0;
          has_promised = has_promised || ptx_memory::has_promises(memory, lane);
        });
        if (!goes_on || has_promised != promisers) continue;
        const auto next = list.state(t, words_);
        if (can_keep_all(next)) todo.emplace_back(next.begin(), next.end());
      }
    }
  }
  return false;
}

std::vector<machine::promised_store> machine::promises(state_view state, std::uint32_t lane) {
  const auto image = stores_.images[state[memory_word()]];
  const weak_state now = weak_->read(image);
  std::vector<promised_store> all;
  for (promised_store one : stores_alone(state, lane)) {
    weak_state s = now;
    std::uint64_t newest = 0;
    std::memcpy(&newest, image.data() + one.offset, one.size);
    const std::uint16_t x = ptx_memory::locate(s, one.offset, one.size, newest);
    const std::size_t count = s.locations[x].messages.size();
    for (std::size_t m = count; m > s.lanes[lane].known.at[x]; --m) {
      if (!ptx_memory::may_promise(s, lane, x, m, one.chained)) continue;
      if (one.chained && s.locations[x].messages[m - 1].value != one.old) continue;
      one.place = m;
      one.newer = count - m;
      all.push_back(one);
    }
  }
  return all;
}

// Whether the step of `t` reads message `m` of the location at `offset`.
bool machine::reads(state_view state, const transition& t, std::uint32_t offset,
                    std::size_t newer) const {
  if (t.by.what != choice::kind::lane || t.location != offset) return false;
  const operation& op = stores_.program.at(state[t.by.unit]);
  if (op.memory == detail::memory_kind::store) return false;
  // (A read-modify-write that keeps a promise reads the message before that.)
  return (t.by.mask & ~choice::keeps) == newer;
}

// A read-modify-write of `lane` that stores what it has read is a repetition if its message tells
// nothing more than the one before it. Who reads it may as well read that one; and who puts another
// repetition behind it may as well put it in front: carried out, all of them are one message. So a
// repetition is promised only to who adds something to it. (Of locations where it matters who wrote
// a message, none is.)
bool machine::is_repetition(const weak_state& memory, std::uint32_t lane, std::uint32_t offset,
                            bool releases) const {
  if (releases || weak_->rules().facts().mixed.contains(offset)) return false;
  return std::ranges::none_of(memory.lanes[lane].released, [&](const auto& r) {
    return r.location == lane_knowledge::any_location || memory.locations[r.location].key == offset;
  });
}

// Whether `lane`, which waits at an access, stores something else when it reads `value`, or tells
// something.
bool machine::adds_to(state_view state, const weak_state& memory, std::uint32_t lane,
                      std::uint64_t value) {
  const operation& op = stores_.program.at(state[lane]);
  if (op.memory == detail::memory_kind::load) return false;
  const operation_traits& t = traits(state[lane]);
  const bool fails = op.memory == detail::memory_kind::compare_exchange &&
                     (value ^ op.compare) << (64U - 8U * t.size) != 0;
  if (fails) return false;
  const std::uint64_t stored = simt::apply(op, value);
  const bool changes = (stored ^ value) << (64U - 8U * t.size) != 0;
  return changes || op.order == memory_order::seq_cst ||
         !is_repetition(memory, lane, t.offset, access_of(op).release);
}

// Whether `lane` waits at an access that reads the location at `offset`.
bool machine::waits_to_read(state_view state, std::uint32_t lane, std::uint32_t offset) {
  if (state[lane] == exited) return false;
  const operation& op = waits_at(state, lane);
  if (op.kind != operation_kind::memory || op.memory == detail::memory_kind::store) return false;
  return traits(state[lane]).offset == offset;
}

// Whether some lane that waits at an access of location `x`, other than the one that has promised
// message `m`, may read it.
bool machine::may_be_read(state_view state, const weak_state& memory, std::uint16_t x,
                          std::size_t m) {
  const memory_location& location = memory.locations[x];
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (lane == location.messages[m].writer || !waits_to_read(state, lane, location.key)) continue;
    const memory_access how = access_of(waits_at(state, lane));
    if (weak_->rules().may_acquire(memory, lane, how, x, m)) return true;
  }
  return false;
}

// Whether `lane` waits at a read that decides on a loop, and may read all that is not hidden.
bool machine::waits_in_loop(state_view state, const weak_state& memory, std::uint32_t lane) {
  const continuation c = state[lane];
  const operation op = stores_.program.at(c);
  const operation_traits t = traits(c);
  std::vector<std::uint64_t> values;
  const auto x = std::ranges::find(memory.locations, t.offset, &memory_location::key);
  if (x == memory.locations.end()) {
    const auto image = stores_.images[state[memory_word()]];
    std::memcpy(&values.emplace_back(), image.data() + t.offset, t.size);
  } else {
    const auto number = static_cast<std::uint16_t>(x - memory.locations.begin());
    const memory_access how = access_of(op);
    for (std::size_t m = memory.lanes[lane].known.at[number]; m < x->messages.size(); ++m) {
      if (!ptx_memory::may_read(memory, lane, number, m)) continue;
      if (!weak_->rules().may_acquire(memory, lane, how, number, m)) return false;
      values.push_back(x->messages[m].value);
    }
  }
  const std::lock_guard lock(stores_.lanes_lock);
  return std::ranges::any_of(values, [&](std::uint64_t value) {
    return stores_.program.decides_on_loop(c, simt::answer(op, value));
  });
}

// Whether a lane that can go on now takes its next step before it promises anything:
// docs/memory-model.md says why.
bool machine::goes_on_first(state_view state, const weak_state& memory, std::uint32_t lane) {
  using kind = operation_traits::kind;
  const operation op = stores_.program.at(state[lane]);
  const operation_traits t = traits(state[lane]);
  switch (t.what) {
    case kind::barrier: return op.barrier == barrier_part::syncthreads;
    case kind::collective: return op.collective != detail::collective_kind::activemask;
    case kind::silent:
      if (!is_weak_step(state[lane])) return true;
      return op.order != memory_order::seq_cst && !ptx_memory::minds_promises(memory, lane);
    case kind::access:
      if (begins_with_fence(op) && !memory.lanes[lane].fenced) return false;
      if (op.memory == detail::memory_kind::store || !is_crossed_by_promises(op)) return true;
      return !weak_->is_contested(t.offset) || waits_in_loop(state, memory, lane);
    case kind::branch: return !has_stacks();
    case kind::event:
    case kind::exited:
    case kind::bad_access:
    case kind::fail:
    case kind::local: return false;
  }
  return false;
}

// Takes away what leads to promises that cannot be kept, and adds what may be promised. A promise
// is made when another lane reads it in its very next step, or when the lane promises a
// read-modify-write of it that is read so: docs/memory-model.md says why that is enough.
void machine::add_promises(state_view state, successor_list& out) {
  if (out.is_choice) return;
  const auto image = stores_.images[state[memory_word()]];
  const promise_state open = weak_->promises(image);
  const bool is_open = open != promise_state::none;
  if (out.here != ending::none) {
    // Others keep what they have promised before their block comes here, or never.
    if (is_open) out.clear();
    return;
  }
  const bool has_unread = open == promise_state::unread;
  const weak_state now = weak_->read(image);
  std::uint32_t unread_offset = 0;
  std::size_t unread_newer = 0;
  std::uint32_t owner = 0;
  std::optional<std::uint64_t> repeated;  // what the unread promise stores, if it is a repetition
  if (has_unread) {
    for (const memory_location& x : now.locations) {
      const auto m = std::ranges::find_if(x.messages, &message::unread);
      if (m == x.messages.end()) continue;
      unread_offset = x.key;
      unread_newer = static_cast<std::size_t>(x.messages.end() - m) - 1;
      owner = m->writer;
      const bool same = m->chained && m->value == std::prev(m)->value;
      if (same && is_repetition(now, owner, x.key, m->releases)) repeated = m->value;
    }
  }
  std::erase_if(out.transitions, [&](const transition& t) {
    if (has_unread && !reads(state, t, unread_offset, unread_newer)) return true;
    if (repeated && !adds_to(state, now, t.by.unit, *repeated)) return true;
    if (t.ends != ending::none) return is_open && !can_keep_together(state, t.by);
    return !t.stays && !can_keep_all(out.state(t, words_));
  });

  // Who could read a promise now, and where. Of a repetition: who adds something to it, or is added
  // by its own lane.
  const auto is_read_by_others = [&](const std::vector<promised_store>& all,
                                     const promised_store& one, std::uint32_t but) {
    const bool repeats =
        one.chained && !one.changes && is_repetition(now, but, one.offset, one.how.release);
    bool any = false;
    for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
      if (lane == but || !waits_to_read(state, lane, one.offset)) continue;
      if (!repeats || adds_to(state, now, lane, one.value)) return true;
      any = true;
    }
    return any && std::ranges::any_of(all, [&](const promised_store& other) {
             return other.chained && other.offset == one.offset && other.old == one.value &&
                    (other.changes || other.how.release);
           });
  };
  std::vector<char> can_go_on(places_.lanes.size(), 0);
  for (const transition& t : out.transitions) {
    if (t.ends != ending::none) continue;
    for_each_lane(t.by, state, [&](std::uint32_t lane) { can_go_on[lane] = 1; });
  }
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (state[lane] == exited || !is_resident(state, places_.lanes[lane].block)) continue;
    if (has_unread && lane != owner) continue;
    if (has_stacks() && !is_active(state, lane)) continue;
    if (!has_unread && can_go_on[lane] != 0 && goes_on_first(state, now, lane)) continue;
    const std::vector<promised_store> all = promises(state, lane);
    for (std::uint32_t number = 0; number < all.size(); ++number) {
      const promised_store& one = all[number];
      if (!is_read_by_others(all, one, lane)) continue;
      if (has_unread &&
          (!one.chained || one.offset != unread_offset || one.newer != unread_newer)) {
        continue;
      }
      weak_state s = now;
      std::uint64_t newest = 0;
      std::memcpy(&newest, image.data() + one.offset, one.size);
      const std::uint16_t x = ptx_memory::locate(s, one.offset, one.size, newest);
      weak_->rules().promise(s, lane, one.how, x, one.place, one.value, one.chained);
      if (!may_be_read(state, s, x, one.place)) continue;
      state_words next(state.begin(), state.end());
      next[memory_word()] = stores_.images.intern(weak_->write(s, image));
      if (!can_keep_all(next)) continue;
      const auto words = out.add({choice::kind::promise, lane, number}, state);
      words[memory_word()] = next[memory_word()];
    }
  }
}

}  // namespace simt
