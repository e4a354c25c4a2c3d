// Steps of lanes where memory is weak: one for each thing that memory may do.
//
// Models: docs/memory-model.md, "The machine". A sequentially consistent operation is a fence.sc
// and the access behind it, two steps (as libcu++ compiles it). A compare-and-exchange that fails
// is a load: in C++ it is nothing more, and storing the old value back, as the ISA has it, would
// allow no further outcome: without that store there is only less order. In races it counts as a
// store, as the ISA has it.
// Axioms: those that the steps of ptx_memory.cpp realize; each outcome of these is one step here.
// Does not model: accesses of different sizes that overlap.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "sim/machine/machine.hpp"

namespace simt {
namespace {

sync_scope scope_from(thread_scope scope) {
  switch (scope) {
    case thread_scope_system: return sync_scope::sys;
    case thread_scope_device: return sync_scope::gpu;
    case thread_scope_block:
    case thread_scope_thread: return sync_scope::cta;
  }
  return sync_scope::sys;
}

}  // namespace

bool machine::begins_with_fence(const operation& op) {
  return !op.weak && op.order == memory_order::seq_cst && op.scope != thread_scope_thread;
}

weak_memory::weak_memory(const grid_places& places, shared_facts& facts, std::size_t image_size,
                         bool promises)
    : lanes_(static_cast<std::uint32_t>(places.lanes.size())),
      image_size_(image_size),
      widest_(places.lanes.back().block == 0 ? sync_scope::cta : sync_scope::gpu),
      promises_(promises),
      shared_(facts),
      rules_(
          lanes_,
          [&](std::uint32_t a, std::uint32_t b) {
            const bool together = places.lanes[a].block == places.lanes[b].block;
            return together ? sync_scope::cta : sync_scope::gpu;
          },
          facts.now()) {}

void weak_memory::begin(std::vector<std::uint8_t>& image) {
  rules_.set_facts(shared_.now());
  encode(rules_.initial(), image);
}

std::span<const std::uint8_t> weak_memory::write(weak_state& state,
                                                 std::span<const std::uint8_t> before) {
  bytes_.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(image_size_));
  for (const memory_location& x : state.locations) {
    std::memcpy(bytes_.data() + x.key, &x.messages.back().value, x.size);
  }
  rules_.canonicalize(state);
  encode(state, bytes_);
  return bytes_;
}

bool weak_memory::learn(const learnt_operation& one) {
  seen_.narrow = seen_.narrow || one.narrow;
  seen_.unsynchronized = seen_.unsynchronized || one.unsynchronized;
  const memory_facts& had = rules_.facts();
  const bool news = (seen_.narrow && !had.narrow) || (seen_.unsynchronized && !had.unsynchronized);
  if (shared_.settled()) {
    lacks_facts_ = lacks_facts_ || news;
    return false;
  }
  if (news) shared_.learn(seen_);
  return news;
}

bool weak_memory::learn_buffering() {
  seen_.may_buffer = true;
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  shared_.learn(seen_);
  return promises_;
}

bool weak_memory::learn_use(std::uint32_t key, const shared_facts::location_use& one,
                            bool as_contested) {
  if (!used_.emplace(key, one).second) return false;
  const shared_facts::location_use all = shared_.use(key, one);
  const memory_facts& had = rules_.facts();
  if (!all.is_shared() && !had.all_contested) return false;
  const bool mixed = all.stores && all.suspicious;
  as_contested = as_contested && !shared_.settled();
  if (is_shared(key) && (!as_contested || is_contested(key)) &&
      (!mixed || had.mixed.contains(key)) && (!all.ordinary || had.ordinary.contains(key))) {
    return false;
  }
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  seen_.shared.insert(key);
  if (as_contested) seen_.contested.insert(key);
  if (mixed) seen_.mixed.insert(key);
  if (all.ordinary) seen_.ordinary.insert(key);
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_contested(std::uint32_t key) {
  if (is_contested(key) || shared_.settled() || !seen_.contested.insert(key).second) return false;
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_wavering(std::uint32_t key) {
  if (is_wavering(key) || shared_.settled() || !seen_.wavering.insert(key).second) return false;
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_answer(const vote& call, std::uint64_t answer) {
  if (!told_.emplace(call, answer).second) return false;
  const bool news = shared_.answered(call, answer);
  if (!shared_.settled()) return news;
  lacks_facts_ = lacks_facts_ || news;
  return false;
}

bool weak_memory::learn_telling(const std::set<std::uint32_t>& locations) {
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  seen_.telling.insert(locations.begin(), locations.end());
  shared_.learn(seen_);
  return true;
}

void weak_memory::give_up_bursts() {
  if (shared_.settled()) return;
  seen_.gave_up_bursts = true;
  shared_.learn(seen_);
}

std::set<std::uint64_t> weak_memory::answers_to(const vote& call) {
  const auto known = shared_.answers_to(call);
  lacks_facts_ = lacks_facts_ || !known;
  return known.value_or(std::set<std::uint64_t>{});
}

// Lanes that may change places have no name that lasts, so an access of one is one of several.
bool machine::learn_use(std::uint32_t lane, const operation& op, const operation_traits& t) {
  if (keeps_place_.empty()) {
    keeps_place_.assign(places_.lanes.size(), 1);
    if (is_symmetric()) {
      const std::span<const std::uint32_t> roles = symmetry_->roles();
      for (std::uint32_t l = 0; l < keeps_place_.size(); ++l) {
        keeps_place_[l] = std::ranges::count(roles, roles[l]) == 1 ? 1 : 0;
      }
    }
  }
  shared_facts::location_use one;
  if (keeps_place_[lane] != 0) one.lane = lane;
  one.stores = t.writes;
  one.suspicious = op.weak || op.scope == thread_scope_thread || is_narrow(op);
  one.ordinary = op.memory == detail::memory_kind::load ||
                 op.memory == detail::memory_kind::store ||
                 op.memory == detail::memory_kind::compare_exchange;
  const bool as_contested = !may_run_ahead();
  if (!renames()) return weak_->learn_use(t.offset, one, as_contested);
  if (weak_->knows_use(t.offset, one)) return false;
  bool news = false;
  for (const auto& [who, where] : renaming_->images_of({one.lane, t.offset})) {
    one.lane = who;
    news = weak_->learn_use(where, one, as_contested) || news;
  }
  return news;
}

// A shared location is weak if `lane` stands at an access of it while others may come to one that
// conflicts with it. (docs/reductions.md, "Barriers keep accesses apart".)
void machine::learn_contested(state_view state, std::uint32_t lane, const operation_traits& t) {
  if (!may_run_ahead() || weak_->is_contested(t.offset) || !weak_->is_shared(t.offset)) return;
  if (is_left_alone(state, lane, 0)) return;
  bool news = false;
  if (renames()) {
    for (const auto& [who, where] :
         renaming_->images_of({shared_facts::location_use::several, t.offset})) {
      news = weak_->learn_contested(where) || news;
    }
  } else {
    news = weak_->learn_contested(t.offset);
  }
  if (news) tell_of_location();
}

// What lanes do in memory that is not the one they have leads to continuations that they never come
// to, and footprints count these. So the first locations are learnt one by one; where there are
// many, that would take too long.
void machine::tell_of_location() {
  constexpr std::size_t few = 16;
  weak_->rules().facts().shared.size() < few ? record_news() : note_news();
}

void machine::rename_facts() {
  if (!weak_ || !renames()) return;
  setup_.facts->close([this](std::uint32_t lane, std::uint32_t location) {
    return renaming_->images_of({lane, location});
  });
}

// Not meant for all lanes of the grid.
bool machine::is_narrow(const operation& op) const {
  const bool nobody = op.weak || op.scope == thread_scope_thread;
  return !nobody && scope_from(op.scope) < weak_->scope_of_grid();
}

bool machine::learn_facts(const operation& op, const operation_traits& t) {
  using kind = operation_traits::kind;
  const bool is_access = t.what == kind::access;
  learnt_operation one;
  one.unsynchronized = t.what == kind::collective || t.what == kind::barrier || has_lockstep();
  const bool updates = is_access && op.memory != detail::memory_kind::load &&
                       op.memory != detail::memory_kind::store;
  one.narrow = ((is_access || op.kind == operation_kind::fence) && is_narrow(op)) ||
               (updates && !access_of(op).strong);
  if (is_access) {
    if (mixed_sizes_) {
      throw lane_runaway(
          lane_runaway::cause::mixed_sizes,
          "accesses of different sizes that overlap are not modelled with memory = \"ptx\"", op.pc);
    }
    const memory_access how = access_of(op);
    const bool releases = how.release || op.order == memory_order::seq_cst;
    const bool loads = op.memory != detail::memory_kind::store;
    const bool synchronizes = !one.narrow && (!t.writes || releases) && (!loads || how.acquire);
    one.unsynchronized = one.unsynchronized || (how.strong && !synchronizes);
  }
  return weak_->learn(one);
}

bool machine::is_weak_step(continuation c) const {
  const operation& op = stores_.program.at(c);
  if (op.kind == operation_kind::fence) return is_fence(op);
  if (op.kind == operation_kind::collective) {  // as a step of one lane: under `stack`
    return op.collective == detail::collective_kind::syncwarp;
  }
  return op.kind == operation_kind::memory;
}

bool machine::is_fence(const operation& op) {
  return op.kind == operation_kind::fence && op.scope != thread_scope_thread &&
         op.order != memory_order::relaxed;
}

bool machine::orders(const operation& op) const {
  switch (op.kind) {
    case operation_kind::memory: {
      const memory_access how = access_of(op);
      return how.acquire || how.release || begins_with_fence(op);
    }
    case operation_kind::called:
    case operation_kind::returned: return traits_of(op).what == operation_traits::kind::event;
    default: return is_fence(op);
  }
}

memory_access machine::access_of(const operation& op) {
  memory_access how;
  how.strong = !op.weak && op.scope != thread_scope_thread;
  if (!how.strong) return how;
  using enum memory_order;
  how.acquire = op.order != relaxed && op.order != release;
  how.release = op.order == release || op.order == acq_rel;
  how.scope = scope_from(op.scope);
  return how;
}

std::vector<std::uint32_t> machine::lanes_of(std::uint32_t warp, std::uint32_t mask) const {
  std::vector<std::uint32_t> lanes;
  const warp_place& w = places_.warps[warp];
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (in(mask, i)) lanes.push_back(w.first + i);
  }
  return lanes;
}

void machine::steps_of(state_view state, std::uint32_t lane, successor_list& out) {
  out.clear();
  spares_repeats_ = false;
  lane_step(state, lane, out);
  if (remembers_steps_) remember_steps(out);
  forget_exited(state, out);
}

bool machine::single_steps(state_view state, std::vector<std::uint32_t>& lanes) {
  lanes.clear();
  if (awaits_choice(state)) return false;
  for (std::uint32_t warp = 0; warp < places_.warps.size(); ++warp) {
    const warp_place& w = places_.warps[warp];
    if (!is_resident(state, w.block)) continue;
    const std::uint32_t enabled = has_stacks() ? front(state, warp) : w.full_mask();
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const std::uint32_t lane = w.first + i;
      if (!in(enabled, i) || state[lane] == exited) continue;
      using kind = operation_traits::kind;
      const kind what = traits(state[lane]).what;
      const bool alone = has_stacks() && is_weak_step(state[lane]);  // syncwarp
      if (what == kind::barrier || (what == kind::collective && !alone)) return false;
      lanes.push_back(lane);
    }
  }
  return true;
}

// `lane` goes on with `answer`; memory is `after` then.
void machine::weak_step(state_view state, std::uint32_t lane, const choice& by, std::uint32_t after,
                        std::uint64_t answer, successor_list& out) {
  const continuation c = state[lane];
  const continuation first = this->next(c, answer);
  const continuation next = settle(lane, first);
  const std::uint32_t status = after_points(state[status_word()], lane, first);
  const bool same = after == state[memory_word()] && status == state[status_word()];
  if (next == c && same && !has_stacks()) return out.add_stay(by, state);
  const auto words = out.add(by, state);
  words[lane] = next;
  words[memory_word()] = after;
  words[status_word()] = status;
  if (lone_ != nullptr) return;
  if (has_stacks()) settle_warp(words, places_.lanes[lane].warp);
  if ((next == exited || has_stacks()) && !all_resident_) dispatch(words);
}

// An access of a location that is not contested; memory is `image` then, but for what it stores.
// (What lanes know has to do with contested locations alone.)
void machine::own_access(state_view state, std::uint32_t lane, std::span<const std::uint8_t> image,
                         successor_list& out) {
  const operation op = stores_.program.at(state[lane]);
  const operation_traits t = traits(state[lane]);
  std::uint64_t old = 0;
  std::memcpy(&old, image.data() + t.offset, t.size);
  const std::uint64_t value = simt::apply(op, old);
  scratch_.assign(image.begin(), image.end());
  std::memcpy(scratch_.data() + t.offset, &value, t.size);
  const std::uint32_t after = stores_.images.intern(scratch_);
  weak_step(state, lane, {choice::kind::lane, lane, 0}, after, simt::answer(op, old), out);
}

void machine::weak_access(state_view state, std::uint32_t lane, successor_list& out) {
  if (is_cut()) return;
  const operation op = stores_.program.at(state[lane]);
  const auto image = stores_.images[state[memory_word()]];
  choice by{choice::kind::lane, lane, 0};
  const bool begins = begins_with_fence(op);
  const operation_traits t = traits(state[lane]);
  if (op.kind == operation_kind::memory) {
    if (learn_use(lane, op, t)) tell_of_location();
    if (is_cut()) return;
    if (lone_ == nullptr) learn_contested(state, lane, t);
    if (!begins && !weak_->is_contested(t.offset)) return own_access(state, lane, image, out);
  }
  look_at_time_for_memory();
  weak_state before = weak_->read(image);
  const ptx_memory& rules = weak_->rules();
  const bool is_alone = lone_ != nullptr;
  const auto go_on = [&](weak_state& memory, std::uint64_t answer) {
    const std::uint32_t after = stores_.images.intern(weak_->write(memory, image));
    weak_step(state, lane, by, after, answer, out);
  };
  if (op.kind == operation_kind::fence) {
    const bool sc = op.order == memory_order::seq_cst;
    if (rules.fence(before, lane, sc, scope_from(op.scope), is_alone).possible) go_on(before, 0);
    return;
  }
  if (op.kind == operation_kind::collective) {
    // The active lanes of a warp are at it together, and none goes on before all are there.
    const std::uint32_t warp = places_.lanes[lane].warp;
    std::vector<std::uint32_t> together = lanes_of(warp, front(state, warp));
    std::erase_if(together, [&](std::uint32_t l) {
      const operation& other = waits_at(state, l);
      return other.kind != operation_kind::collective || other.collective != op.collective;
    });
    ptx_memory::barrier(before, together, together);
    return go_on(before, 0);
  }
  if (begins && !before.lanes[lane].fenced) {
    if (!rules.fence(before, lane, true, scope_from(op.scope), is_alone).possible) return;
    before.lanes[lane].fenced = true;
    const auto words = out.add(by, state);
    words[memory_word()] = stores_.images.intern(weak_->write(before, image));
    return;
  }
  before.lanes[lane].fenced = false;
  if (!weak_->is_contested(t.offset)) {
    return own_access(state, lane, weak_->write(before, image), out);
  }
  memory_access how = access_of(op);
  how.is_alone = is_alone;
  const std::uint16_t x = locate(before, image, t.offset, t.size);
  const auto& messages = before.locations[x].messages;
  const std::size_t known = before.lanes[lane].known.at[x];

  const auto take = [&](weak_state& after, const memory_effect& effect, std::uint64_t answer,
                        bool is_stale) {
    if (!effect.possible) return;
    if (!effect.race && ptx_memory::has_passed_promise(after, lane)) return;
    const std::size_t had = out.transitions.size();
    if (effect.race) {
      emit_end(out, by, ending::race);
    } else {
      go_on(after, answer);
    }
    for (std::size_t i = had; i < out.transitions.size(); ++i) {
      out.transitions[i].location = t.offset;
      out.transitions[i].is_stale = is_stale;
    }
  };
  const std::size_t outcomes_before = out.transitions.size();
  // The newest first: a choice's number says how many are newer.
  const std::size_t newest_message = messages.size() - 1;
  for (std::size_t m = newest_message + 1; m-- > known;) {
    by.mask = static_cast<std::uint32_t>(newest_message - m);
    const bool is_stale = m == known && m < newest_message;
    const bool is_load = op.memory == detail::memory_kind::load;
    const bool is_store = op.memory == detail::memory_kind::store;
    const std::uint64_t old = messages[m].value;
    const bool fails = simt::fails(op, old);
    const std::uint64_t answer = is_store ? 0 : simt::answer(op, old);
    if (is_load || fails) {
      if (!ptx_memory::may_read(before, lane, x, m)) continue;
      weak_state after = before;
      memory_access load = how;
      load.conflicts_as_store = fails;
      const memory_effect effect = rules.load(after, lane, load, x, m);
      take(after, effect, answer, is_stale);
      continue;
    }
    const std::uint64_t value = simt::apply(op, old);
    const bool keeps =
        m < newest_message && rules.keeps_promise(before, lane, how, x, m + 1, value, !is_store);
    if (keeps) {
      weak_state after = before;
      by.mask |= choice::keeps;
      const memory_effect effect = rules.keep(after, lane, how, x, m + 1);
      take(after, effect, answer, false);
      by.mask &= ~choice::keeps;
    }
    const bool possible = is_store ? ptx_memory::may_store(before, lane, x, m + 1)
                                   : ptx_memory::may_update(before, lane, x, m);
    if (!possible) continue;
    if (is_alone) {
      const bool waits = !is_store && how.acquire && (messages[m].promised || messages[m].linked);
      note_store(lane, state[lane], how, old, value, m < newest_message, waits);
    }
    weak_state after = before;
    const memory_effect effect = is_store ? rules.store(after, lane, how, x, m + 1, value)
                                          : rules.update(after, lane, how, x, m, value);
    take(after, effect, answer, is_stale);
  }
  const bool wavers = out.transitions.size() > outcomes_before + 1;
  if (wavers && !is_alone && may_run_ahead() && !is_cut() && weak_->learn_wavering(t.offset)) {
    record_news();
  }
}

machine::weak_reading machine::reading_of(state_view state, const choice& by) {
  const operation op = stores_.program.at(state[by.unit]);
  const operation_traits t = traits(state[by.unit]);
  const auto image = stores_.images[state[memory_word()]];
  weak_state s = weak_->read(image);
  weak_reading result;
  result.is_fence = begins_with_fence(op) && !s.lanes[by.unit].fenced;
  std::memcpy(&result.value, image.data() + t.offset, t.size);
  const auto x = std::ranges::find(s.locations, t.offset, &memory_location::key);
  if (x == s.locations.end()) return result;
  result.newer = by.mask & ~choice::keeps;
  if (result.newer < x->messages.size()) {
    result.value = x->messages[x->messages.size() - 1 - result.newer].value;
  }
  return result;
}

std::vector<machine::stored_value> machine::stored_at(state_view state, std::uint32_t offset,
                                                      std::uint8_t size) const {
  const auto image = stores_.images[state[memory_word()]];
  const weak_state s = weak_->read(image);
  const auto x = std::ranges::find(s.locations, offset, &memory_location::key);
  std::vector<stored_value> all;
  if (x == s.locations.end()) {
    std::memcpy(&all.emplace_back().value, image.data() + offset, size);
    return all;
  }
  for (const message& m : x->messages) all.push_back({m.value, m.chained, m.promised, m.writer});
  return all;
}

std::vector<std::vector<std::uint32_t>> machine::readers_at(state_view state,
                                                            std::uint32_t offset) const {
  const weak_state s = weak_->read(stores_.images[state[memory_word()]]);
  const auto at = std::ranges::find(s.locations, offset, &memory_location::key);
  const auto x = static_cast<std::uint16_t>(at - s.locations.begin());
  // A location with one message is not listed: everybody reads that one.
  const std::size_t count = at == s.locations.end() ? 1 : at->messages.size();
  std::vector<std::vector<std::uint32_t>> readers(count);
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (state[lane] == exited) continue;
    for (std::size_t m = 0; m < count; ++m) {
      if (at == s.locations.end() || ptx_memory::may_read(s, lane, x, m)) {
        readers[m].push_back(lane);
      }
    }
  }
  return readers;
}

std::optional<race_partner> machine::race_of(state_view state, const choice& by) {
  const operation op = stores_.program.at(state[by.unit]);
  const operation_traits t = traits(state[by.unit]);
  const auto image = stores_.images[state[memory_word()]];
  weak_state s = weak_->read(image);
  const std::uint16_t x = locate(s, image, t.offset, t.size);
  const std::size_t count = s.locations[x].messages.size();
  const std::size_t newer = by.mask & ~choice::keeps;
  if (newer >= count) return std::nullopt;
  const std::size_t m = count - 1 - newer;
  const ptx_memory& rules = weak_->rules();
  const memory_access how = access_of(op);
  if ((by.mask & choice::keeps) != 0) return rules.keep(s, by.unit, how, x, m + 1).race;
  if (op.memory == detail::memory_kind::store)
    return rules.store(s, by.unit, how, x, m + 1, 0).race;
  if (op.memory == detail::memory_kind::load) return rules.load(s, by.unit, how, x, m).race;
  const std::uint64_t old = s.locations[x].messages[m].value;
  if (simt::fails(op, old)) {
    memory_access load = how;
    load.conflicts_as_store = true;
    return rules.load(s, by.unit, load, x, m).race;
  }
  return rules.update(s, by.unit, how, x, m, 0).race;
}

// Who returned before somebody calls has let him know, so what he did is visible: clients that know
// of an order between their operations know it by synchronizing. (Where they do not, the call may
// as well come earlier.)
std::uint32_t machine::memory_after_event(std::uint32_t memory, std::uint32_t lane,
                                          continuation c) {
  constexpr std::uint32_t clock = 0xffffffff;
  look_at_time_for_memory();
  const auto image = stores_.images[memory];
  weak_state s = weak_->read(image);
  if (stores_.program.at(c).kind == operation_kind::returned) {
    ptx_memory::arrive(s, lane, clock);
  } else {
    ptx_memory::complete(s, clock, {&lane, 1});
  }
  return stores_.images.intern(weak_->write(s, image));
}

std::uint32_t machine::after_barrier(std::uint32_t memory, std::span<const std::uint32_t> lanes) {
  const auto image = stores_.images[memory];
  weak_state s = weak_->read(image);
  ptx_memory::barrier(s, lanes, lanes);
  return stores_.images.intern(weak_->write(s, image));
}

std::uint32_t machine::after_arrival(std::uint32_t memory, std::span<const std::uint32_t> arriving,
                                     std::uint32_t barrier, bool completes,
                                     std::span<const std::uint32_t> behind) {
  const auto image = stores_.images[memory];
  weak_state s = weak_->read(image);
  for (const std::uint32_t lane : arriving) ptx_memory::arrive(s, lane, barrier);
  if (completes) {
    ptx_memory::complete(s, barrier, behind);
    ptx_memory::reopen(s, barrier);
  }
  return stores_.images.intern(weak_->write(s, image));
}

void machine::forget_exited(std::span<std::uint32_t> words) {
  look_at_time_for_memory();
  const auto image = stores_.images[words[memory_word()]];
  weak_state s = weak_->read(image);
  bool any = false;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (words[lane] != exited || !s.lanes[lane].live) continue;
    ptx_memory::end(s, lane);
    any = true;
  }
  if (any) words[memory_word()] = stores_.images.intern(weak_->write(s, image));
}

void machine::forget_exited(state_view state, successor_list& out) {
  const std::size_t lanes = places_.lanes.size();
  for (const transition& t : out.transitions) {
    if (t.ends != ending::none || t.stays) continue;
    const auto words = out.state(t, words_);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (words[lane] != exited || state[lane] == exited) continue;
      forget_exited(words);
      break;
    }
  }
}

}  // namespace simt
