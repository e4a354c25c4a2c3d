// Load buffering: decides which stores lanes promise, and when. Other lanes see a promised store
// before its lane carries it out.
//
// Models: docs/memory-model.md, "Load buffering in the machine". A lane may promise a store that it
// would reach alone, behind an atomic load, a read-modify-write, a barrier or a fence.sc. Without
// one of these in front, the lane may as well carry out the store now. After each step, each lane
// must be able to keep its promises by running alone. Where it cannot, there is no execution. Where
// a run ends, all promises must be kept together. A lane that can take its next step first promises
// nothing, nor does any lane while another one is on its way to a read. Promises come in bursts:
// each is read by another lane's next step, or by the lane of a later promise of the burst.
// Axioms: No-thin-air, as far as dependencies are known. Some executions have a cycle of program
// order and reads-from, which needs promises. Does not model: dependencies, except on a read that
// decides on a loop. A lane of C++ code does not say which of its stores depend on what it has
// loaded. So a store may be promised whose value would differ after another load, as long as the
// promise is kept in the end.
#include <algorithm>
#include <cstring>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/lane/operation_table.hpp"
#include "sim/machine/promises/early_stores.hpp"
#include "sim/machine/promises/join_search.hpp"
#include "sim/machine/promises/load_buffering.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {
namespace {

// Limits of one burst of promises. A run that meets one is inconclusive.
constexpr std::size_t most_in_burst = 12;                // promises of one lane, with earlier ones
constexpr std::size_t most_of_a_burst = 1'500;           // states
constexpr std::uint64_t most_work_of_a_burst = 600'000;  // steps of lanes that run alone

}  // namespace

early_stores::early_stores(machine& of, weak_memory& memory) : machine_(of), memory_(memory) {}

early_stores::~early_stores() = default;

void early_stores::forget() { alone_ = {}; }

// Whether the lane is active in its warp, under `stack`. Parked lanes and lanes on a later side
// promise nothing. Their warp reaches their stores after the lanes it waits for have decided, by
// their loads, where to go.
bool early_stores::is_active(state_view state, std::uint32_t lane) const {
  const std::uint32_t warp = machine_.places().lanes[lane].warp;
  return in(machine_.stack(state, warp).active, lane - machine_.places().warps[warp].first);
}

bool early_stores::are_kept(state_view state) {
  if (!machine_.has_promises(state)) return true;
  const weak_state s = memory_.read(machine_.stores().images[state[machine_.memory_word()]]);
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    if (ptx_memory::has_promises(s, lane) && !can_keep(state, lane)) return false;
  }
  return true;
}

// Whether all promises can be kept if the run has ended for the lanes of step `by`. It is not
// enough that each lane could keep its own promises alone: a step for one promise may rule out a
// step for another. Searches depth first, and lets lanes with promises go first.
bool early_stores::can_keep_together(state_view state, const choice& by) {
  constexpr std::size_t most_states = 5'000;
  std::vector<char> ended(machine_.places().lanes.size(), 0);
  machine_.for_each_lane(by, state, [&](std::uint32_t lane) { ended[lane] = 1; });
  const auto image = machine_.stores().images[state[machine_.memory_word()]];
  weak_state now = memory_.read(image);
  for (std::uint32_t lane = 0; machine_.has_stacks() && lane < ended.size(); ++lane) {
    // In lockstep with an ended lane, a lane may be unable to reach its store. The store still
    // counts as kept.
    const bool with = ended[lane] == 0 && ptx_memory::has_promises(now, lane);
    for (std::uint32_t l = 0; with && l < ended.size(); ++l) {
      if (ended[l] != 0 && machine_.places().lanes[l].warp == machine_.places().lanes[lane].warp)
        return true;
    }
  }
  // Forgets what ended lanes could read, as memory_alone() does.
  for (std::uint32_t lane = 0; lane < ended.size(); ++lane) {
    if (ended[lane] != 0) ptx_memory::end(now, lane);
  }
  state_words first(state.begin(), state.end());
  first[machine_.memory_word()] = machine_.stores().images.intern(memory_.write(now, image));
  const auto key_of = [&](state_view here) {
    state_words key(here.begin(), here.end());
    key.insert(key.end(), ended.begin(), ended.end());
    return key;
  };
  boost::unordered_flat_set<state_words> seen;
  std::vector<state_words> todo{first};
  bool found = false;
  successor_list list;
  while (!todo.empty() && !found) {
    machine_.program().give_up_in_time();
    const state_words here = std::move(todo.back());
    todo.pop_back();
    state_words key = key_of(here);
    const auto known = alone_.together.find(key);
    found = !machine_.has_promises(here) || (known != alone_.together.end() && known->second);
    if (found || known != alone_.together.end() || !seen.insert(std::move(key)).second) continue;
    if (seen.size() > most_states) {
      throw lane_runaway(lane_runaway::cause::early_stores,
                         "whether all values that lanes store early (load buffering) are stored in "
                         "the end is not decided",
                         machine_.program().at(state[by.unit]).pc);
    }
    const weak_state memory = memory_.read(machine_.stores().images[here[machine_.memory_word()]]);
    machine_.list_steps(here, list);
    for (const bool promisers : {false, true}) {
      for (const transition& t : list.transitions) {
        if (t.ends != ending::none || t.stays) continue;
        bool goes_on = true, has_promised = false;
        machine_.for_each_lane(t.by, here, [&](std::uint32_t lane) {
          goes_on = goes_on && ended[lane] == 0;
          has_promised = has_promised || ptx_memory::has_promises(memory, lane);
        });
        if (!goes_on || has_promised != promisers) continue;
        const auto next = list.state(t, machine_.words());
        if (are_kept(next)) todo.emplace_back(next.begin(), next.end());
      }
    }
  }
  if (found) {
    alone_.together.emplace(key_of(first), true);
  } else {
    for (const state_words& key : seen) alone_.together.emplace(key, false);
  }
  return found;
}

// The location's place in a state that is interned with this image.
std::uint16_t early_stores::locate(weak_state& s, std::span<const std::uint8_t> image,
                                   std::uint32_t offset, std::uint8_t size) {
  std::uint64_t newest = 0;
  std::memcpy(&newest, image.data() + offset, size);
  return ptx_memory::locate(s, offset, size, newest);
}

// Whether a read-modify-write that stores what it has read comes, at its place, behind such a
// promise of the same lane. Only messages with the same value, linked to each other, may lie
// between. Then readers may as well read an earlier message, which leads to the lane's own promise.
// Where some strong access is not for everybody, only the lane's own promise directly in front
// counts.
bool early_stores::repeats_own(const weak_state& s, std::uint32_t lane,
                               const promised_store& one) const {
  const auto x = std::ranges::find(s.locations, one.offset, &memory_location::key);
  if (x == s.locations.end()) return false;
  const auto number = static_cast<std::uint16_t>(x - s.locations.begin());
  for (std::size_t m = one.place; m-- > 0 && x->messages[m].value == one.value;) {
    const bool repeats = x->messages[m].chained && x->messages[m - 1].value == one.value;
    if (repeats && memory_.rules().keeps_promise(s, lane, one.how, number, m, one.value, true))
      return true;
    if (!x->messages[m].linked || memory_.rules().facts().narrow) return false;
  }
  return false;
}

std::vector<promised_store> early_stores::promises(state_view state, std::uint32_t lane) {
  std::vector<promised_store> all;
  const lone_stores& alone = stores_alone(state, lane);
  if (alone.all.empty()) return all;
  const auto image = machine_.stores().images[state[machine_.memory_word()]];
  weak_state s = memory_.read(image);
  for (promised_store one : alone.all) {
    // No lane can go on because of an arrival that is only promised, since tests acquire.
    if (memory_.rules().facts().is_phased(one.offset)) continue;
    const std::uint16_t x = locate(s, image, one.offset, one.size);
    const std::size_t count = s.locations[x].messages.size();
    for (std::size_t m = count; m > s.lanes[lane].known.at[x]; --m) {
      // A store that overtakes nothing goes behind all messages. The distance from the end is what
      // it was when the lane ran alone: others' messages are the same, and the lane's own come
      // before.
      if (m < count && !one.overtaken) break;
      if (!ptx_memory::may_promise(s, lane, x, m, one.chained)) continue;
      if (one.chained && !one.open && s.locations[x].messages[m - 1].value != one.old) continue;
      one.place = m;
      if (one.comes_back && repeats_own(s, lane, one)) continue;
      one.newer = count - m;
      all.push_back(one);
    }
  }
  return all;
}

// Whether the step of `t` reads the message with `newer` messages behind it, at `offset`.
bool early_stores::reads(state_view state, const transition& t, std::uint32_t offset,
                         std::size_t newer) const {
  if (t.by.what != choice::kind::lane || t.location != offset) return false;
  const operation& op = machine_.program().at(state[t.by.unit]);
  if (op.memory == detail::memory_kind::store) return false;
  // A read-modify-write that keeps a promise reads the message before the promise.
  return (t.by.mask & ~choice::keeps) == newer;
}

// Whether a read-modify-write that stores what it has read is a repetition: its message tells
// nothing more than the one before it. Readers may as well read the earlier message, and another
// repetition may as well go in front of it. Once carried out, all of them are one message. So a
// repetition is promised only to a lane that adds something to it and would let nothing in between.
// At locations where the writer of a message matters, there are no repetitions.
bool early_stores::is_repetition(const weak_state& memory, std::uint32_t lane, std::uint32_t offset,
                                 bool releases) const {
  if (releases || memory_.rules().facts().mixed.contains(offset)) return false;
  return std::ranges::none_of(memory.lanes[lane].released, [&](const auto& r) {
    return r.location == lane_knowledge::any_location || memory.locations[r.location].key == offset;
  });
}

// Whether `lane`, which waits at an access, stores another value than `value` when it reads that,
// or tells other lanes something.
bool early_stores::adds_to(state_view state, const weak_state& memory, std::uint32_t lane,
                           std::uint64_t value) {
  const operation& op = machine_.program().at(state[lane]);
  if (op.memory == detail::memory_kind::load) return false;
  const operation_traits& t = machine_.lanes().traits(state[lane]);
  if (simt::fails(op, value)) return false;
  const std::uint64_t stored = simt::apply(op, value);
  const bool changes = (stored ^ value) << (64U - 8U * t.size) != 0;
  return changes || op.order == memory_order::seq_cst ||
         !is_repetition(memory, lane, t.offset, access_of(op).release);
}

// Whether `lane` waits at an access that reads the location at `offset`.
bool early_stores::waits_to_read(state_view state, std::uint32_t lane, std::uint32_t offset) {
  if (state[lane] == exited) return false;
  const operation& op = machine_.waits_at(state, lane);
  if (op.kind != operation_kind::memory || op.memory == detail::memory_kind::store) return false;
  return machine_.lanes().traits(state[lane]).offset == offset;
}

// Whether `lane` waits at an access that may read message `m` of location `x`.
bool early_stores::may_be_read_by(state_view state, const weak_state& memory, std::uint32_t lane,
                                  std::uint16_t x, std::size_t m) {
  const memory_location& location = memory.locations[x];
  if (lane == location.messages[m].writer || !waits_to_read(state, lane, location.key))
    return false;
  const memory_access how = access_of(machine_.waits_at(state, lane));
  return memory_.rules().may_acquire(memory, lane, how, x, m);
}

// Whether the operation stores at a contested location whatever it reads there.
bool early_stores::is_at_exchange(continuation c) {
  if (c == exited || machine_.lanes().traits(c).what != operation_traits::kind::access)
    return false;
  return machine_.program().at(c).memory == detail::memory_kind::exchange &&
         memory_.is_contested(machine_.lanes().traits(c).offset);
}

// Finds where each lane may have to wait if no lane can go on. docs/memory-model.md explains why a
// burst ends between two lanes at different places.
standoff early_stores::standoff_in(state_view state, const weak_state& memory) {
  standoff all;
  const std::size_t count = machine_.places().lanes.size();
  all.may_promise.resize(count, 0);
  all.only_next.resize(count, 0);
  all.at.resize(count, standoff::elsewhere);
  all.acquires.resize(count, 0);
  if (machine_.has_lockstep()) return all;
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    if (state[lane] == exited) continue;
    const operation op = machine_.program().at(state[lane]);
    const operation_traits t = machine_.lanes().traits(state[lane]);
    if (t.what != operation_traits::kind::access || t.node != no_node) continue;
    if (begins_with_fence(op) && !memory.lanes[lane].fenced) continue;
    if (memory_.rules().facts().mixed.contains(t.offset)) continue;
    // A replayed execution may have been found with other facts.
    if (machine_.setup().facts->follows()) continue;
    all.at[lane] = t.offset;
    all.acquires[lane] = access_of(op).acquire ? 1 : 0;
  }
  for (std::uint32_t reader = 0; reader < count; ++reader) {
    if (state[reader] == exited) continue;
    const operation& op = machine_.program().at(state[reader]);
    if (op.kind != operation_kind::memory || op.memory == detail::memory_kind::store) continue;
    if (!memory_.is_contested(machine_.lanes().traits(state[reader]).offset)) continue;
    for (std::uint32_t owner = 0; owner < count; ++owner) {
      if (owner == reader || state[owner] == exited) continue;
      all.has_end = all.has_end || all.may_end(reader, owner);
    }
  }
  return all;
}

// Whether some lane may read `one` in its next step. A lane that reads a repetition has to add
// something to it.
bool early_stores::is_read_next(state_view state, const weak_state& memory,
                                const unread_promise& one, const standoff& lanes) {
  const std::uint64_t value = memory.locations[one.x].messages[one.place].value;
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    if (!lanes.may_end(lane, one.owner)) continue;
    if (!may_be_read_by(state, memory, lane, one.x, one.place)) continue;
    if (!one.is_repetition || adds_to(state, memory, lane, value)) return true;
  }
  return false;
}

// Whether `lane` waits at a read that decides on a loop, and may read all messages that are not
// hidden.
bool early_stores::waits_in_loop(state_view state, const weak_state& memory, std::uint32_t lane) {
  const continuation c = state[lane];
  const operation op = machine_.program().at(c);
  const operation_traits t = machine_.lanes().traits(c);
  std::vector<std::uint64_t> values;
  const auto x = std::ranges::find(memory.locations, t.offset, &memory_location::key);
  if (x == memory.locations.end()) {
    const auto image = machine_.stores().images[state[machine_.memory_word()]];
    std::memcpy(&values.emplace_back(), image.data() + t.offset, t.size);
  } else {
    const auto number = static_cast<std::uint16_t>(x - memory.locations.begin());
    const memory_access how = access_of(op);
    for (std::size_t m = memory.lanes[lane].known.at[number]; m < x->messages.size(); ++m) {
      if (!ptx_memory::may_read(memory, lane, number, m)) continue;
      if (memory_.rules().may_have_to_wait(memory, lane, how, number, m)) return false;
      values.push_back(x->messages[m].value);
    }
  }
  const std::lock_guard lock(machine_.stores().lanes_lock);
  return std::ranges::any_of(values, [&](std::uint64_t value) {
    return machine_.program().decides_on_loop(c, simt::answer(op, value));
  });
}

// Whether no action or promise of other lanes can get in the way of the lane's next step.
bool early_stores::is_free_step(state_view state, const weak_state& memory, std::uint32_t lane) {
  using kind = operation_traits::kind;
  const operation op = machine_.program().at(state[lane]);
  const operation_traits t = machine_.lanes().traits(state[lane]);
  if (t.what == kind::silent) {
    if (!memory_.has_part_in(op)) return true;
    return op.order != memory_order::seq_cst && !ptx_memory::minds_promises(memory, lane);
  }
  if (t.what != kind::access || (begins_with_fence(op) && !memory.lanes[lane].fenced)) return false;
  return op.memory == detail::memory_kind::store || !is_crossed_by_promises(op) ||
         !memory_.is_contested(t.offset);
}

// Whether a lane that can go on takes its next step before it promises anything.
// docs/memory-model.md explains why.
bool early_stores::goes_on_first(state_view state, const weak_state& memory, std::uint32_t lane) {
  using kind = operation_traits::kind;
  if (is_free_step(state, memory, lane)) return true;
  const operation op = machine_.program().at(state[lane]);
  switch (machine_.lanes().traits(state[lane]).what) {
    case kind::barrier: return op.barrier == barrier_part::syncthreads && op.number == 0;
    case kind::collective: return op.collective != detail::collective_kind::activemask;
    case kind::branch: return !machine_.has_stacks();
    case kind::access:
      if (begins_with_fence(op) && !memory.lanes[lane].fenced) return false;
      return waits_in_loop(state, memory, lane);
    case kind::silent:
    case kind::choose:
    case kind::event:
    case kind::exited:
    case kind::bad_access:
    case kind::fail:
    case kind::local:
    case kind::endless: return false;
  }
  return false;
}

// Whether the lane is on its way, by steps that no other lane influences, to a read, a possible
// wait or its end. So no loop of such steps counts.
bool early_stores::is_on_its_way(state_view state, const weak_state& memory, std::uint32_t lane) {
  using kind = operation_traits::kind;
  constexpr int longest = 64;
  if (!is_free_step(state, memory, lane)) return false;
  continuation c = state[lane];
  for (int i = 0; i < longest; ++i) {
    const operation op = machine_.program().at(c);
    const operation_traits t = machine_.lanes().traits(c);
    const bool accesses = t.what == kind::access && !machine_.is_bad(lane, t);
    // At locations that are not contested, a read takes no step of its own: steps_ahead.
    if (accesses && op.memory != detail::memory_kind::store)
      return i > 0 && memory_.is_contested(t.offset);
    if (!accesses && t.what != kind::silent && t.what != kind::branch) return true;
    c = machine_.lanes().advance(lane, c, 0);
  }
  return false;
}

// If some lane with promises is on its way, leaves only the steps of that lane among single-lane
// steps that may order memory. Without the other lanes' steps, they would seem to wait, so steps at
// neither an access nor a fence stay.
bool early_stores::keep_first(state_view state, const weak_state& memory, successor_list& out) {
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    if (state[lane] == exited || !ptx_memory::has_promises(memory, lane)) continue;
    const auto is_its = [&](const transition& t) {
      return t.by.what == choice::kind::lane && t.by.unit == lane;
    };
    if (std::ranges::none_of(out.transitions, is_its)) continue;
    const operation op = machine_.program().at(state[lane]);
    const bool is_fence = op.kind == operation_kind::fence && op.order != memory_order::seq_cst;
    if (!is_fence && !is_on_its_way(state, memory, lane)) continue;
    std::erase_if(out.transitions, [&](const transition& t) {
      if (t.by.what != choice::kind::lane || is_its(t)) return false;
      return may_order(machine_.program().at(state[t.by.unit]).kind);
    });
    return true;
  }
  return false;
}

std::vector<unread_promise> early_stores::unread_in(const weak_state& memory) const {
  std::vector<unread_promise> all;
  for (std::size_t x = 0; x < memory.locations.size(); ++x) {
    const auto& messages = memory.locations[x].messages;
    for (std::size_t m = 0; m < messages.size(); ++m) {
      if (!messages[m].unread) continue;
      unread_promise one{memory.locations[x].key, static_cast<std::uint16_t>(x),
                         static_cast<std::uint16_t>(m), messages.size() - 1 - m,
                         messages[m].writer};
      one.is_repetition = messages[m].chained && messages[m].value == messages[m - 1].value &&
                          is_repetition(memory, one.owner, one.offset, messages[m].releases);
      all.push_back(one);
    }
  }
  return all;
}

// The unread promises of strong stores.
std::vector<unread_promise> early_stores::strong_unread(const weak_state& memory) const {
  std::vector<unread_promise> all = unread_in(memory);
  std::erase_if(all, [&](const unread_promise& u) {
    return !memory.locations[u.x].messages[u.place].strong;
  });
  return all;
}

// The memory as if `one` had not been promised.
std::uint32_t early_stores::memory_without(std::uint32_t memory, const unread_promise& one) {
  const std::pair key{memory, std::uint32_t{one.x} << 16 | one.place};
  if (const auto known = alone_.without.find(key); known != alone_.without.end())
    return known->second;
  const auto image = machine_.stores().images[memory];
  weak_state s = memory_.read(image);
  ptx_memory::withdraw(s, one.x, one.place);
  const std::uint32_t without = machine_.stores().images.intern(memory_.write(s, image));
  alone_.without.emplace(key, without);
  return without;
}

std::size_t early_stores::promises_of(const weak_state& memory, std::uint32_t lane) {
  std::size_t count = 0;
  for (const memory_location& x : memory.locations) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        x.messages, [&](const message& m) { return m.promised && m.writer == lane; }));
  }
  return count;
}

// The state as if `lane` had promised all plain stores that `first` stands for.
state_words early_stores::with_plain_stores(state_view state, std::uint32_t lane,
                                            const promised_store& first) {
  const auto before = machine_.stores().images[state[machine_.memory_word()]];
  std::vector<std::uint8_t> image(before.begin(), before.end());
  weak_state s = memory_.read(image);
  for (const plain_store& one : alone_.plain.at(first.plain)) {
    machine_.setup().memory->marks_at(one.offset, one.size).set_in(image);
    const std::uint16_t x = locate(s, image, one.offset, one.size);
    memory_.rules().promise(s, lane, {}, x, s.locations[x].messages.size(), one.value, false);
  }
  state_words after(state.begin(), state.end());
  after[machine_.memory_word()] = machine_.stores().images.intern(memory_.write(s, image));
  return after;
}

// Whether promises of the plain stores that `first` stands for help some other lane to another
// strong store, or to where it reads more. That lane has to read the plain stores together with an
// unread promise, or with a promise that it has read before and that a fence may acquire. Without a
// race, readers of the plain stores acquire from what their lane has promised behind them.
bool early_stores::plain_stores_help(state_view state, std::uint32_t lane,
                                     const promised_store& first) {
  const std::vector<plain_store>& plain = alone_.plain.at(first.plain);
  const weak_state before = memory_.read(machine_.stores().images[state[machine_.memory_word()]]);
  const std::vector<unread_promise> strong = strong_unread(before);
  state_words after, less;
  std::vector<unread_promise> strong_after;
  for (std::uint32_t other = 0; other < machine_.places().lanes.size(); ++other) {
    if (other == lane || state[other] == exited) continue;
    const lone_stores& without = stores_alone(state, other);
    const auto reads = [&](std::uint32_t offset) {
      return std::ranges::binary_search(without.reads, offset);
    };
    // What the lane reads there first does not depend on these promises.
    if (std::ranges::none_of(plain, reads, &plain_store::offset)) continue;
    const bool waits = ptx_memory::has_read_promises(before, other);
    const bool reads_strong = std::ranges::any_of(strong, reads, &unread_promise::offset);
    if (!waits && !reads_strong) continue;
    if (after.empty()) {
      less = after = with_plain_stores(state, lane, first);
      strong_after =
          strong_unread(memory_.read(machine_.stores().images[after[machine_.memory_word()]]));
    }
    const lone_stores& with = stores_alone(after, other);
    const auto leads_further_than = [&](const lone_stores& it) {
      return !std::ranges::includes(it.stops, with.stops) ||
             std::ranges::any_of(with.all, [&](const promised_store& store) {
               return store.how.strong && !it.has(store);
             });
    };
    if (!leads_further_than(without)) continue;
    // Of several promises, each may be enough, and the store is there without any single one.
    if (waits || strong_after.size() != 1) return true;
    const unread_promise& u = strong_after.front();
    if (u.owner == other) continue;
    less[machine_.memory_word()] = memory_without(after[machine_.memory_word()], u);
    if (leads_further_than(stores_alone(less, other))) return true;
  }
  return false;
}

// The memory as if `lane` had promised `one`, too, where the weak state is `now`.
std::uint32_t early_stores::memory_with(state_view state, weak_state now, std::uint32_t lane,
                                        const promised_store& one) {
  memory_request store;
  store.lane = lane;
  store.memory = state[machine_.memory_word()];
  store.op.kind = operation_kind::memory;
  store.op.memory = detail::memory_kind::store;
  store.traits.writes = true;
  store.traits.written = machine_.setup().memory->marks_at(one.offset, one.size);
  store.traits.offset = one.offset;
  store.traits.size = one.size;
  const auto image = memory_.with_marks(store);
  const std::uint16_t x = locate(now, image, one.offset, one.size);
  memory_.rules().promise(now, lane, one.how, x, one.place, one.value, one.chained, one.open);
  return machine_.stores().images.intern(memory_.write(now, image));
}

// The state in which `lane` has promised `one`, too. Unread promises that the lane must have read
// for this count as read. Nothing: the promise is not needed now. It may rest on no unread promise,
// or on one that the lane might read in its next step.
std::optional<state_words> early_stores::with_promise(state_view state, const weak_state& now,
                                                      std::uint32_t lane, const promised_store& one,
                                                      const standoff& lanes) {
  const std::vector<unread_promise> open = unread_in(now);
  const bool follows =
      one.chained && !one.open && std::ranges::any_of(open, [&](const unread_promise& u) {
        return u.offset == one.offset && u.place + 1U == one.place;
      });
  if (!open.empty() && !one.how.strong && one.plain == 0) return std::nullopt;
  if (one.plain != 0 && !plain_stores_help(state, lane, one)) return std::nullopt;
  state_words next(state.begin(), state.end());
  std::vector<const unread_promise*> read;
  const std::vector<std::uint32_t>& reads = stores_alone(state, lane).reads;
  for (const unread_promise& u : open) {
    if (u.owner == lane || u.is_repetition) continue;
    if (!std::ranges::binary_search(reads, u.offset)) continue;
    next[machine_.memory_word()] = memory_without(state[machine_.memory_word()], u);
    if (!stores_alone(next, lane).has(one)) read.push_back(&u);
  }
  // Readers of a repetition may as well read what it repeats, unless it rests on an open promise or
  // repeats one.
  const auto repeats_message = [&] {
    const auto x = std::ranges::find(now.locations, one.offset, &memory_location::key);
    return x != now.locations.end() && x->messages[one.place - 1].value == one.value;
  };
  const bool repeats = one.chained && (one.open ? repeats_message() : !one.changes) &&
                       is_repetition(now, lane, one.offset, one.how.release);
  if (!open.empty() && repeats && !follows && read.empty()) return std::nullopt;
  const bool rests = one.plain != 0 || open.empty() || !read.empty() || follows;
  if (!rests && !join_search(*this, state).may_begin(lane, one)) return std::nullopt;
  // Where the burst may not end with the lane's next step, the lane may rest on what that step
  // reads. A replayed execution may have been found where the burst may not end.
  const bool is_replay = machine_.setup().facts->follows();
  const bool ends_here = !is_replay && std::ranges::all_of(open, [&](const unread_promise& u) {
    return lanes.may_end(lane, u.owner) || !may_be_read_by(state, now, lane, u.x, u.place);
  });
  if (!read.empty() && ends_here && !stores_alone(state, lane, true).has(one)) return std::nullopt;
  if (!open.empty() && promises_of(now, lane) >= most_in_burst) {
    if (!machine_.has_news()) memory_.give_up_bursts();
    return std::nullopt;
  }
  weak_state s = now;
  for (const unread_promise* u : read) s.locations[u->x].messages[u->place].unread = false;
  next[machine_.memory_word()] = memory_with(state, s, lane, one);
  return next;
}

// Whether `lane` may have to promise something before it takes its next step.
bool early_stores::may_promise(state_view state, const weak_state& memory, std::uint32_t lane,
                               bool can_go_on) {
  const place& at = machine_.places().lanes[lane];
  if (state[lane] == exited || !machine_.is_resident(state, at.block)) return false;
  // What a copy stores depends on what it reads, and its end is a release.
  if (machine_.setup().grid.is_agent(at.warp)) return false;
  if (machine_.has_stacks() && !is_active(state, lane)) return false;
  return !can_go_on || !goes_on_first(state, memory, lane);
}

// Whether some other lane may use the promise of `one`: in its next step, or, alone, on its way to
// a promise of its own. What a lane does alone does not change until it reads the promise.
bool early_stores::may_be_used(state_view state, const standoff& lanes, std::uint32_t lane,
                               const promised_store& one) {
  // A lane that has read an open promise puts nothing in front of it: that takes a third lane.
  const auto is_there = [](continuation c) { return c != exited; };
  const auto first = state.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(machine_.places().lanes.size());
  if (one.open && std::count_if(first, last, is_there) < 3 &&
      !memory_.rules().facts().mixed.contains(one.offset)) {
    return false;
  }
  if (lanes.only_next[lane] != 0 && !(one.open && one.pc == machine_.program().at(state[lane]).pc))
    return false;
  for (std::uint32_t other = 0; other < lanes.may_promise.size(); ++other) {
    if (other == lane) continue;
    if (waits_to_read(state, other, one.offset) && lanes.may_end(other, lane)) return true;
    if (memory_.gave_up_bursts()) continue;
    if (one.plain != 0) return true;
    if (!one.how.strong || lanes.may_promise[other] == 0) continue;
    if (std::ranges::binary_search(stores_alone(state, other).reads, one.offset)) return true;
  }
  return false;
}

// Whether any store that the lane may promise may be used.
bool early_stores::may_be_used(state_view state, const standoff& lanes, std::uint32_t lane) {
  return std::ranges::any_of(stores_alone(state, lane).all, [&](const promised_store& one) {
    return may_be_used(state, lanes, lane, one);
  });
}

// Whether a step reads the only unread promise, now or after further promises that rest on the open
// ones.
bool early_stores::completes_burst(state_view state, const standoff& lanes) {
  if (machine_.has_news()) return false;
  const weak_state memory = memory_.read(machine_.stores().images[state[machine_.memory_word()]]);
  const std::vector<unread_promise> open = unread_in(memory);
  if (open.size() == 1 && is_read_next(state, memory, open.front(), lanes)) return true;
  const state_words key(state.begin(), state.end());
  if (const auto known = alone_.bursts.find(key); known != alone_.bursts.end())
    return known->second;
  machine_.program().give_up_in_time();
  if (++burst_size_ > most_of_a_burst || lone_steps_ - lone_steps_before_ > most_work_of_a_burst)
    memory_.give_up_bursts();
  if (memory_.gave_up_bursts()) return false;
  bool completes = false;
  for (std::uint32_t lane = 0; lane < lanes.may_promise.size() && !completes; ++lane) {
    if (lanes.may_promise[lane] == 0) continue;
    if (!may_be_used(state, lanes, lane)) continue;
    for (const promised_store& one : promises(state, lane)) {
      if (!may_be_used(state, lanes, lane, one)) continue;
      const auto next = with_promise(state, memory, lane, one, lanes);
      if (!next || !are_kept(*next) || !completes_burst(*next, lanes)) continue;
      completes = true;
      break;
    }
  }
  alone_.bursts.emplace(key, completes);
  return completes;
}

// The state after that promise, if the promise can be kept and read. Promises are left out if
// deciding this takes too much work; then the run is not `ok`.
std::optional<state_words> early_stores::promised_in_burst(state_view state, const weak_state& now,
                                                           std::uint32_t lane,
                                                           const promised_store& one,
                                                           const standoff& lanes) {
  burst_size_ = 0;
  lone_steps_before_ = lone_steps_;
  auto next = with_promise(state, now, lane, one, lanes);
  if (!next || !are_kept(*next)) return std::nullopt;
  // When an execution is replayed, its promises are known to be read. The replaying machine has
  // caches and limits of its own, so it does not ask again.
  if (machine_.setup().facts->follows()) return next;
  try {
    if (!completes_burst(*next, lanes)) return std::nullopt;
  } catch (const lane_runaway&) {
    if (!machine_.has_news()) memory_.give_up_bursts();
    return std::nullopt;
  }
  return next;
}

// Whether promises may have to be made in the state. If not, promises would add no execution that
// passes through it.
bool early_stores::may_occur(state_view state) {
  // Facts say whether there is such a state. A replaying machine does not ask again, since it may
  // tell apart more places of lanes.
  if (machine_.setup().facts->follows()) return memory_.makes_promises();
  if (memory_.may_buffer() && !memory_.makes_promises()) return false;
  if (!buffering_) buffering_ = std::make_unique<load_buffering>(machine_, memory_);
  if (!buffering_->may_occur(state)) return false;
  if (!memory_.may_buffer() && memory_.learn_buffering()) machine_.news().record();
  return memory_.makes_promises();
}

// Removes steps to states with a promise that cannot be kept, and adds promises. A promise is made
// if another lane reads it in its very next step, or if a later promise that is read so rests on
// it. docs/memory-model.md explains why that is enough.
void early_stores::add_promises(state_view state, successor_list& out) {
  if (out.is_choice) return;
  const auto image = machine_.stores().images[state[machine_.memory_word()]];
  const promise_state open = memory_.promises(image);
  const bool is_open = open != promise_state::none;
  if (out.here != ending::none) {
    // Lanes of other blocks keep their promises before their block gets here, or never.
    if (is_open) out.clear();
    return;
  }
  const bool is_replay = machine_.setup().facts->follows();
  if (!is_open && is_replay && !memory_.makes_promises()) return;
  const weak_state now = memory_.read(image);
  const std::vector<unread_promise> unread = unread_in(now);
  standoff lanes;
  if (is_open || memory_.makes_promises()) lanes = standoff_in(state, now);
  std::vector<char> can_go_on(machine_.places().lanes.size(), 0);
  std::erase_if(out.transitions, [&](const transition& t) {
    if (machine_.has_news()) return true;
    const bool ends = t.ends != ending::none;
    if (!ends && !t.stays && !are_kept(out.state(t, machine_.words()))) return true;
    if (!ends)
      machine_.for_each_lane(t.by, state, [&](std::uint32_t lane) { can_go_on[lane] = 1; });
    if (!unread.empty()) {
      const unread_promise& one = unread.front();
      if (unread.size() > 1 || !reads(state, t, one.offset, one.newer)) return true;
      if (!lanes.may_end(t.by.unit, one.owner)) return true;
      const std::uint64_t value = now.locations[one.x].messages[one.place].value;
      if (one.is_repetition && !adds_to(state, now, t.by.unit, value)) return true;
    }
    return ends && is_open && !can_keep_together(state, t.by);
  });
  if (machine_.has_news()) return;
  if (!machine_.has_lockstep()) {
    // A replayed execution may have gone on with other lanes, by steps that concern no lane.
    if (machine_.spares_repeats() && is_open && unread.empty() && keep_first(state, now, out))
      return;
    if (memory_.makes_promises() && !lanes.has_end) return;
    // Which lanes are on their way depends on facts, so a replayed execution may have been found
    // with others.
    for (std::uint32_t lane = 0; lane < can_go_on.size() && !is_replay; ++lane) {
      if (can_go_on[lane] != 0 && is_on_its_way(state, now, lane)) return;
    }
  }
  // A lane that has to acquire from a promise waits for it, too.
  if ((!is_open && !may_occur(state)) || machine_.has_news()) return;
  for (std::uint32_t lane = 0; lane < can_go_on.size(); ++lane) {
    lanes.may_promise[lane] = may_promise(state, now, lane, can_go_on[lane] != 0) ? 1 : 0;
    if (lanes.may_promise[lane] != 0 || !is_at_exchange(state[lane])) continue;
    lanes.only_next[lane] = lanes.may_promise[lane] = may_promise(state, now, lane, false) ? 1 : 0;
  }
  for (std::uint32_t lane = 0; lane < can_go_on.size(); ++lane) {
    if (lanes.may_promise[lane] == 0 || !may_be_used(state, lanes, lane)) continue;
    const std::vector<promised_store> all = promises(state, lane);
    for (std::uint32_t number = 0; number < all.size(); ++number) {
      const promised_store& one = all[number];
      if (!may_be_used(state, lanes, lane, one)) continue;
      const auto next = promised_in_burst(state, now, lane, one, lanes);
      if (machine_.has_news()) return;
      if (!next) continue;
      const auto words = out.add({choice::kind::promise, lane, number}, state);
      words[machine_.memory_word()] = (*next)[machine_.memory_word()];
    }
  }
}

bool early_stores::learn_circles() {
  if (memory_.is_synchronized() || memory_.has_circles() || memory_.makes_promises()) return false;
  if (machine_.ahead() == nullptr || !machine_.ahead()->asks_further()) return false;
  if (!buffering_) buffering_ = std::make_unique<load_buffering>(machine_, memory_);
  const std::lock_guard lock(machine_.stores().lanes_lock);
  return buffering_->has_circles() && memory_.learn_circles();
}

void early_stores::add_choices(state_view state, successor_list& out) {
  if (memory_.is_synchronized() || !memory_.has_contested()) return;
  if (learn_circles()) return machine_.news().record();
  add_promises(state, out);
  if (memory_.makes_promises() && !machine_.is_cut()) learn_answers(state, out);
}

}  // namespace simt
