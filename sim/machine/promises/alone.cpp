// Runs one lane alone, while all other lanes do nothing. That decides which stores a lane may
// promise, and whether it can keep its promises (promises.cpp).
//
// Axioms: none of its own; the lane takes the steps of ptx_memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/promises/early_stores.hpp"

namespace simt {

/// A lane that runs alone from some state.
class lone_lane {
 public:
  lone_lane(early_stores& of, std::uint32_t lane)
      : early_(of), machine_(of.machine_), memory_(of.memory_), lane_(lane) {}

  /// Whether the lane can reach a point where all its promises are kept.
  bool keeps_promises(state_view from) { return search(from, true); }

  /// The stores that the lane may reach behind something that makes it useful to promise them.
  /// `reads_late`: its first step must not read an unread promise that the lane could also read
  /// when it is not alone.
  lone_stores stores(state_view from, bool reads_late = false) {
    reads_late_ = reads_late;
    search(from, false);
    std::ranges::sort(found_.all, {}, [](const promised_store& one) {
      return std::pair(promised_store::key(one), !one.overtaken);
    });
    const auto same = std::ranges::unique(found_.all, {}, &promised_store::key);
    found_.all.erase(same.begin(), same.end());
    for (auto* const list : {&found_.reads, &found_.stops}) {
      std::ranges::sort(*list);
      const auto again = std::ranges::unique(*list);
      list->erase(again.begin(), again.end());
    }
    return std::move(found_);
  }

 private:
  // The most stops that a lane may reach alone. A lane that stores new values for ever reaches ever
  // more.
  static constexpr std::size_t most_stops = 5'000;
  static constexpr std::size_t stops_in_time = 64;

  early_stores& early_;
  machine& machine_;
  weak_memory& memory_;
  std::uint32_t lane_;
  lone_stores found_;
  bool reads_late_ = false;
  successor_list list_;
  // Scratch for the step that is being made.
  std::vector<lone_step::to> next_;
  std::vector<promised_store> stores_;
  std::vector<lone_store> noted_;
  std::vector<memory_outcome> outcomes_;

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

  // Visits all stops. With `is_enough`, stops as soon as the lane has kept all its promises, and
  // returns whether it has.
  bool search(state_view from, bool is_enough) {
    bool found = false;
    state_words words(from.begin(), from.end());
    const std::uint32_t first = early_.memory_alone(from[machine_.memory_word()], lane_);
    std::vector<stop> todo{{from[lane_], first, lone_step::nothing}};
    boost::unordered_flat_set<stop> seen{todo.front()};
    while (!todo.empty() && !found) {
      if (seen.size() % stops_in_time == 0) machine_.program().give_up_in_time();
      const stop here = todo.back();
      todo.pop_back();
      if (here.at == exited) continue;
      words[lane_] = here.at;
      words[machine_.memory_word()] = here.memory;
      ++early_.lone_steps_;
      // The first stop is taken from the list first, and never again.
      const bool is_late = reads_late_ && seen.size() == 1;
      const lone_step* made = nullptr;
      // News makes all results void, but the search goes on, to collect more news at once.
      machine_.news().ignore_cuts();
      unless_void(machine_, [&] { made = is_late ? &late_step(words) : &step_of(words); });
      const bool is_cut = machine_.is_cut();
      machine_.news().heed_cuts();
      if (made == nullptr || is_cut) continue;
      const lone_step& step = *made;
      if (step.reads != lone_step::nothing) {
        found_.reads.push_back(step.reads);
        if (may_read_promise(step)) found_.stops.push_back(here.at);
      }
      for (const promised_store& one : step.stores) {
        const bool at_once = here.crossed == lone_step::nothing || here.crossed == one.offset;
        if (at_once && !one.waits && !one.open) continue;
        found_.all.push_back(one);
      }
      if (step.keeps) add_plain_stores(first, here.memory);
      const std::uint32_t crossed = both(here.crossed, step.crosses);
      for (const lone_step::to& to : step.next) {
        found = found || (is_enough && to.keeps_last);
        const stop there{to.at, to.memory, crossed};
        if (!seen.insert(there).second) continue;
        if (seen.size() > most_stops) {
          if (machine_.has_news()) return found;
          throw lane_runaway(lane_runaway::cause::growing_stores,
                             "a lane alone can store ever new values, so what it may store early "
                             "(load buffering) has no end",
                             machine_.program().at(here.at).pc);
        }
        todo.push_back(there);
      }
    }
    return found;
  }

  /// Adds plain stores at telling locations that the lane has made on its way from one memory to
  /// the other. Adds the first, which names them all.
  void add_plain_stores(std::uint32_t from, std::uint32_t to) {
    const std::set<std::uint32_t>& telling = memory_.rules().facts().telling;
    if (telling.empty() || from == to) return;
    std::vector<plain_store> all;
    const auto before = machine_.stores().images[from];
    const auto after = machine_.stores().images[to];
    for (const auto& [offset, store] : early_.alone_.plain_at) {
      if (!telling.contains(offset) || !memory_.is_contested(offset)) continue;
      if (std::memcmp(before.data() + offset, after.data() + offset, store.size) == 0) continue;
      all.push_back(store);
      std::memcpy(&all.back().value, after.data() + offset, store.size);
    }
    if (all.empty()) return;
    const auto [at, is_new] = early_.alone_.plain_numbers.try_emplace(
        all, static_cast<std::uint32_t>(early_.alone_.plain.size()));
    if (is_new) early_.alone_.plain.push_back(all);
    promised_store one;
    one.offset = all.front().offset;
    one.size = all.front().size;
    one.value = all.front().value;
    one.address = all.front().address;
    one.pc = all.front().pc;
    one.plain = at->second;
    found_.all.push_back(one);
  }

  [[nodiscard]] bool may_read_promise(const lone_step& step) const {
    if (!memory_.is_contested(step.reads)) return false;
    return step.crosses != lone_step::nothing ||
           memory_.rules().facts().telling.contains(step.reads);
  }

  static std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    if (a == lone_step::nothing || a == b) return b;
    return b == lone_step::nothing ? a : lone_step::much;
  }

  /// What a read-modify-write counts as crossing. Consider a location with only read-modify-writes,
  /// and a lane with nothing else in front of its store there. The lane may as well carry out all
  /// of them now, one behind the other at the end of the chain. In lockstep it may have to wait for
  /// others, and it may be unable to acquire from others' promises yet.
  [[nodiscard]] std::uint32_t crossing(const operation& op, const operation_traits& t,
                                       std::uint32_t memory) const {
    if (!is_crossed_by_promises(op)) return lone_step::nothing;
    if (op.order == memory_order::seq_cst || op.memory == detail::memory_kind::load ||
        op.memory == detail::memory_kind::exchange ||
        memory_.rules().facts().ordinary.contains(t.offset)) {
      return lone_step::much;
    }
    const place& here = machine_.places().lanes[lane_];
    if (machine_.has_stacks() && machine_.places().warps[here.warp].lanes > 1)
      return lone_step::much;
    const weak_state s = memory_.read(machine_.stores().images[memory]);
    const auto x = std::ranges::find(s.locations, t.offset, &memory_location::key);
    const bool is_free =
        x == s.locations.end() || std::ranges::none_of(x->messages, &message::promised);
    return is_free ? t.offset : lone_step::much;
  }

  /// The cached step of the lane. It depends only on the lane, its continuation and memory.
  const lone_step& step_of(state_view state) {
    const lone_key key{state[machine_.memory_word()], lane_, state[lane_]};
    auto& steps = early_.alone_.steps;
    if (const auto known = steps.find(key); known != steps.end()) return known->second;
    lone_step step;
    make(state, step, [](const transition&) { return true; });
    if (machine_.is_cut()) return void_;
    step.next = early_.alone_.keep(next_);
    step.stores = early_.alone_.keep(stores_);
    return steps.emplace(key, step).first->second;
  }

  /// Makes the step. Its results go to `next_` and `stores_`, which the caller stores in `step`.
  template <class Counts>
  void make(state_view state, lone_step& step, Counts counts) {
    next_.clear();
    stores_.clear();
    list_.clear();
    go_on(state, list_, step);
    // The search takes the last entry first, so it keeps promises as soon as it can.
    for (const bool keeps : {false, true}) {
      for (const transition& t : list_.transitions) {
        if (((t.by.mask & choice::keeps) != 0) != keeps) continue;
        if (t.ends != ending::none || !counts(t)) continue;
        step.keeps = step.keeps || keeps;
        const state_view next = list_.state(t, machine_.words());
        const std::uint32_t memory = next[machine_.memory_word()];
        next_.push_back({next[lane_], memory, keeps && !has_promises(memory)});
      }
    }
  }

  [[nodiscard]] bool has_promises(std::uint32_t memory) const {
    const auto image = machine_.stores().images[memory];
    if (memory_.promises(image) == promise_state::none) return false;
    return ptx_memory::has_promises(memory_.read(image), lane_);
  }

  /// Whether the lane can read the promise when it is not alone, without acquiring from it. A lane
  /// that acquires may have to wait until the promise's lane has come to a release.
  [[nodiscard]] bool may_read_now(state_view state, const weak_state& memory,
                                  const unread_promise& u) const {
    const memory_access how = access_of(machine_.waits_at(state, lane_));
    return early_.may_be_read_by(state, memory, lane_, u.x, u.place) &&
           !memory_.rules().may_have_to_wait(memory, lane_, how, u.x, u.place);
  }

  /// The first step of the lane, without what it could also read when it is not alone.
  const lone_step& late_step(state_view state) {
    const weak_state memory = memory_.read(machine_.stores().images[state[machine_.memory_word()]]);
    late_ = {};
    make(state, late_, [&](const transition& t) {
      return std::ranges::none_of(early_.unread_in(memory), [&](const unread_promise& u) {
        return early_.reads(state, t, u.offset, u.newer) && may_read_now(state, memory, u);
      });
    });
    late_.next = next_;
    late_.stores = stores_;
    return late_;
  }
  lone_step late_;
  const lone_step void_;

  /// Lists what the lane may do next if no other lane does anything. Barriers let it pass.
  void go_on(state_view state, successor_list& out, lone_step& step) {
    using kind = operation_traits::kind;
    const continuation c = state[lane_];
    const operation op = machine_.program().at(c);
    const operation_traits t = machine_.lanes().traits(c);
    switch (t.what) {
      case kind::access:
        if (machine_.is_bad_access(state, lane_) && !may_be_right_later(state, t)) return;
        step.crosses = crossing(op, t, state[machine_.memory_word()]);
        if (op.memory != detail::memory_kind::store) step.reads = t.offset;
        if (op.memory == detail::memory_kind::store && !access_of(op).strong)
          early_.alone_.plain_at[t.offset] = {t.offset, t.size, 0, op.address, op.pc};
        return carry_out(state, out);
      case kind::silent:
        if (is_memory_fence(op)) {
          // A fence that would acquire from a promise has to wait.
          const auto image = machine_.stores().images[state[machine_.memory_word()]];
          const bool waits = sides_of(op) != fence_sides::releases &&
                             ptx_memory::has_read_promises(memory_.read(image), lane_);
          if (waits || op.order == memory_order::seq_cst) step.crosses = lone_step::much;
          return carry_out(state, out);
        }
        break;
      case kind::collective:
        step.crosses = lone_step::much;
        if (op.collective != detail::collective_kind::syncwarp) return answer(state, op, out);
        break;
      case kind::barrier:
        step.crosses = lone_step::much;
        if ((op.mask & detail::barrier_reduces) != 0) return answer(state, op, out);
        break;
      case kind::choose:
        for (std::uint32_t value = 0; value < op.count && !machine_.is_cut(); ++value) {
          const continuation next = machine_.lanes().advance(lane_, c, value);
          out.add({choice::kind::lane, lane_, choice::chooses | value}, state)[lane_] = next;
        }
        return;
      case kind::event:
      case kind::branch: break;
      case kind::exited:
      case kind::bad_access:
      case kind::fail:
      case kind::local:
      case kind::endless: return;
    }
    const continuation next = machine_.lanes().advance(lane_, c, 0);
    const auto words = out.add({choice::kind::lane, lane_, 0}, state);
    words[lane_] = next;
    if (t.what == kind::event) {
      words[machine_.memory_word()] = memory_.after_event(state[machine_.memory_word()], lane_, op);
    }
  }

  /// Whether others may yet write what is read, or begin or end the mbarrier.
  [[nodiscard]] bool may_be_right_later(state_view state, const operation_traits& t) const {
    const auto image = machine_.stores().images[state[machine_.memory_word()]];
    return t.misuses_mbarrier(image) || (t.needs_value && !t.written.any_in(image));
  }

  /// Carries out an access or a fence.
  void carry_out(state_view state, successor_list& out) {
    if (machine_.is_cut()) return;
    const continuation c = state[lane_];
    const memory_request asked = machine_.request_of(state, lane_);
    const bool is_access = asked.op.kind == operation_kind::memory;
    if (is_access && !machine_.learner().learn_access(lane_, asked.op, asked.traits)) return;
    machine_.look_at_time_for_memory();
    noted_.clear();
    outcomes_.clear();
    memory_.list_alone(asked, noted_, outcomes_);
    for (const lone_store& one : noted_) early_.note_store(lane_, c, one, stores_);
    for (const memory_outcome& one : outcomes_) {
      if (one.races) continue;
      const continuation next = one.stays ? c : machine_.lanes().advance(lane_, c, one.answer);
      const auto words = out.add({choice::kind::lane, lane_, one.number}, state);
      words[lane_] = next;
      words[machine_.memory_word()] = one.memory;
      out.transitions.back().location = one.location;
    }
  }

  /// Takes each answer that lanes have been seen to get from such a vote: alone, the other lanes'
  /// values are unknown.
  void answer(state_view state, const operation& op, successor_list& out) {
    const continuation c = state[lane_];
    for (const std::uint64_t answer : memory_.answers_to(early_.vote_of(lane_, op))) {
      const auto next = early_.next_if_possible(lane_, c, answer);
      if (next) out.add({choice::kind::lane, lane_, 0}, state)[lane_] = *next;
    }
  }
};

// The vote as one lane calls it. The lane's place counts only if lanes of a warp cannot trade
// places.
vote early_stores::vote_of(std::uint32_t lane, const operation& op) const {
  const bool moves = machine_.is_symmetric() && !machine_.symmetry_of_lanes()->fixes_lanes();
  const std::uint32_t first = machine_.places().warps[machine_.places().lanes[lane].warp].first;
  const bool is_barrier = op.kind == operation_kind::barrier;
  return {op.pc - machine_.program().library().code_begin, op.operand, op.mask,
          is_barrier ? static_cast<std::uint32_t>(op.barrier) : op.shfl, moves ? 0 : lane - first};
}

// The continuation after an answer that may never come. Nothing: device code fails with it.
std::optional<continuation> early_stores::next_if_possible(std::uint32_t lane, continuation at,
                                                           std::uint64_t answer) {
  if (machine_.is_cut()) return std::nullopt;
  continuation next = 0;
  {
    const std::lock_guard lock(machine_.stores().lanes_lock);
    next = machine_.program().outcome(at, answer);
    if (machine_.program().at(next).kind == operation_kind::fault) return std::nullopt;
  }
  try {
    return machine_.lanes().settle(lane, next);
  } catch (const lane_error&) {
    return std::nullopt;
  }
}

// Learns what votes answer in the steps of `state`. Steps after which some promise cannot be kept
// do not count: they belong to no execution.
void early_stores::learn_answers(state_view state, const successor_list& out) {
  for (const transition& t : out.transitions) {
    const bool is_of_block = t.by.what == choice::kind::block && t.by.mask == 0;
    if ((t.by.what != choice::kind::group && !is_of_block) || t.ends != ending::none) continue;
    if (is_of_block ? learn_at_barrier(state, t.by) : learn_of_warp(state, t.by)) {
      return machine_.news().record();
    }
  }
}

bool early_stores::learn_of_warp(state_view state, const choice& by) {
  const warp_place& w = machine_.places().warps[by.unit];
  const auto some = w.first + static_cast<std::uint32_t>(std::countr_zero(by.mask));
  const operation& voted = machine_.waits_at(state, some);
  if (voted.kind == operation_kind::barrier) return learn_at_barrier(state, by);
  if (voted.collective == detail::collective_kind::syncwarp) return false;
  std::array<std::uint64_t, 32> answers;
  std::string why;
  if (!machine_.collectives().collect_answers(state, by.unit, by.mask, answers, why)) return false;
  bool news = false;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (!in(by.mask, i)) continue;
    const vote call = vote_of(w.first + i, machine_.waits_at(state, w.first + i));
    news = memory_.learn_answer(call, answers[i]) || news;
  }
  return news;
}

bool early_stores::learn_at_barrier(state_view state, const choice& by) {
  const grid_places& places = machine_.places();
  const bool is_of_block = by.what == choice::kind::block;
  const std::uint32_t block = is_of_block ? by.unit : places.warps[by.unit].block;
  const std::uint32_t threads = machine_.setup().grid.block_threads();
  const auto goes = [&](std::uint32_t lane, const operation& op) {
    const place& at = places.lanes[lane];
    if (state[lane] == exited || op.kind != operation_kind::barrier) return false;
    return is_of_block || (at.warp == by.unit && in(by.mask, at.index));
  };
  const auto end = (block + 1) * threads;
  std::uint32_t some = block * threads;
  while (some < end && !goes(some, machine_.waits_at(state, some))) ++some;
  if (some == end) return false;
  const operation first = machine_.waits_at(state, some);
  if ((first.mask & detail::barrier_reduces) == 0) return false;
  const grid_barriers::vote_count votes = machine_.barriers().votes_at(state, first, by);
  bool news = false;
  for (std::uint32_t lane = block * threads; lane < end; ++lane) {
    const operation op = machine_.waits_at(state, lane);
    const bool waited = !is_of_block && votes.completes && state[lane] != exited &&
                        op.kind == operation_kind::barrier && op.barrier == barrier_part::wait &&
                        op.number == first.number;
    if (!waited && !goes(lane, op)) continue;
    news = memory_.learn_answer(vote_of(lane, op), grid_barriers::answer(op, votes)) || news;
  }
  return news;
}

// Whether a lane that gets this answer returns to `at`, past operations that concern no other lane.
bool early_stores::comes_back(std::uint32_t lane, continuation at, std::uint64_t answer) {
  using kind = operation_traits::kind;
  constexpr int longest = 8;
  continuation next = machine_.lanes().advance(lane, at, answer);
  for (int i = 0; i < longest && next != at; ++i) {
    const kind what = machine_.lanes().traits(next).what;
    const bool is_fence = machine_.program().at(next).kind == operation_kind::fence;
    if (what != kind::branch && (what != kind::silent || is_fence)) return false;
    next = machine_.lanes().advance(lane, next, 0);
  }
  return next == at;
}

void early_stores::note_store(std::uint32_t lane, continuation at, const lone_store& what,
                              std::vector<promised_store>& stores) {
  const operation op = machine_.program().at(at);
  const operation_traits t = machine_.lanes().traits(at);
  promised_store one;
  one.chained = op.memory != detail::memory_kind::store;
  one.changes = !one.chained || what.value != what.old;
  // A round of a spin loop that changes nothing. The execution without it has the same outcome, and
  // readers of its store can read what it has read. Where the writer matters, one such message of
  // the lane is enough: repeats_own().
  one.comes_back = !one.changes && comes_back(lane, at, simt::answer(op, what.old));
  if (one.comes_back && !memory_.rules().facts().mixed.contains(t.offset)) return;
  one.offset = t.offset;
  one.size = t.size;
  one.address = op.address;
  one.pc = op.pc;
  one.overtaken = what.overtaken;
  one.waits = what.waits;
  one.how = what.how;
  one.how.is_alone = false;
  one.value = what.value;
  if (one.chained) one.old = what.old;
  stores.push_back(one);
  // An exchange stores the same value whatever it reads, so the message that it reads may come
  // later.
  if (op.memory != detail::memory_kind::exchange || one.comes_back) return;
  one.open = true;
  one.old = 0;
  stores.push_back(one);
}

// The memory from which a lane starts to run alone. It does not depend on what other lanes know and
// could read. So they have ended, and memory forgets what it kept for them. That merges many
// memories, and a lane that stores again and again returns to a known memory.
std::uint32_t early_stores::memory_alone(std::uint32_t memory, std::uint32_t lane) {
  const std::uint64_t key = std::uint64_t{memory} << 32 | lane;
  if (const auto known = alone_.starts.find(key); known != alone_.starts.end()) {
    return known->second;
  }
  const auto image = machine_.stores().images[memory];
  weak_state s = memory_.read(image);
  memory_.rules().end_others(s, lane);
  const std::uint32_t alone = machine_.stores().images.intern(memory_.write(s, image));
  alone_.starts.emplace(key, alone);
  return alone;
}

bool early_stores::can_keep(state_view state, std::uint32_t lane) {
  const lone_key key{memory_alone(state[machine_.memory_word()], lane), lane, state[lane]};
  if (const auto known = alone_.keeps.find(key); known != alone_.keeps.end()) return known->second;
  if (machine_.has_news()) return false;
  const bool keeps = lone_lane(*this, lane).keeps_promises(state);
  if (machine_.has_news()) return false;
  alone_.keeps.emplace(key, keeps);
  return keeps;
}

const lone_stores& early_stores::stores_alone(state_view state, std::uint32_t lane,
                                              bool reads_late) {
  const lone_key key{memory_alone(state[machine_.memory_word()], lane), lane, state[lane]};
  auto& stores = reads_late ? alone_.late_stores : alone_.stores;
  if (const auto known = stores.find(key); known != stores.end()) return known->second;
  static const lone_stores none;
  if (machine_.has_news()) return none;
  return stores.emplace(key, lone_lane(*this, lane).stores(state, reads_late)).first->second;
}

}  // namespace simt
