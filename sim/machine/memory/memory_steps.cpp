// Lists steps of lanes in memory, one transition for each outcome of an operation. Also reports to
// memory what it can learn of the program.
//
// Models: nothing of its own; machine_memory decides what may happen.
#include <algorithm>

#include "sim/machine/machine.hpp"

namespace simt {

// --- steps ---

void machine::memory_steps(state_view state, std::uint32_t lane, successor_list& out) {
  if (is_cut()) return;
  memory_request asked = request_of(state, lane);
  const bool is_access = asked.op.kind == operation_kind::memory;
  std::vector<std::uint32_t> together;
  if (is_access) {
    if (!learn_access(lane, asked.op, asked.traits)) return;
    learn_contested(state, lane, asked.traits);
    if (memory_->learn_unphased(asked)) record_news();
  } else if (asked.op.kind == operation_kind::collective) {
    // The active lanes of a warp carry out a syncwarp together. None goes on before all are there.
    const std::uint32_t warp = places_.lanes[lane].warp;
    together = lanes_of(warp, front(state, warp));
    std::erase_if(together, [&](std::uint32_t l) {
      const operation& other = waits_at(state, l);
      return other.kind != operation_kind::collective || other.collective != asked.op.collective;
    });
    asked.together = together;
  }
  look_at_time_for_memory();
  outcomes_.clear();
  memory_->list(asked, outcomes_);
  for (const memory_outcome& one : outcomes_) {
    const std::size_t had = out.transitions.size();
    const choice by{choice::kind::lane, lane, one.number};
    if (one.races) {
      emit_end(out, by, ending::race);
    } else if (one.stays) {
      out.add(by, state)[memory_word()] = one.memory;
    } else {
      const bool goes_on = one.is_own_phase && !waits_with(state[lane], one.answer);
      if (goes_on && memory_->learn_unphased(asked.traits.offset)) record_news();
      take(state, lane, by, one, out);
    }
    for (std::size_t i = had; i < out.transitions.size(); ++i) {
      out.transitions[i].location = one.location;
      out.transitions[i].is_stale = one.is_stale;
    }
  }
  const bool wavers = outcomes_.size() > 1;
  if (wavers && may_run_ahead() && !is_cut() && memory_->learn_wavering(asked.traits.offset)) {
    record_news();
  }
}

// Whether a lane that gets this answer from a location only asks the location again and again, as
// long as the answer stays the same.
bool machine::waits_with(continuation c, std::uint64_t answer) {
  const std::uint32_t location = traits(c).offset;
  std::vector<continuation> round;
  constexpr std::size_t longest = 8;
  while (round.size() < longest) {
    using kind = operation_traits::kind;
    const operation_traits t = traits(c);
    const operation_kind what = stores_.program.at(c).kind;
    const bool asks = t.what == kind::access && !t.writes && t.offset == location;
    if (!asks && what != operation_kind::nanosleep) return false;
    if (std::ranges::find(round, c) != round.end()) return true;
    round.push_back(c);
    c = next(c, asks ? answer : 0);
    if (is_cut()) return true;  // what is explored is void
  }
  return false;
}

// Adds the step in which `lane` goes on with the answer of outcome `one`.
void machine::take(state_view state, std::uint32_t lane, const choice& by,
                   const memory_outcome& one, successor_list& out) {
  const continuation c = state[lane];
  const continuation first = this->next(c, one.answer);
  const continuation next = settle(lane, first);
  const std::uint32_t status = after_points(state[status_word()], lane, first);
  go_on(state, by, next, one.memory, status, out);
}

void machine::forget_exited(std::span<std::uint32_t> words) {
  if (!memory_->traits().names_lanes) return;
  look_at_time_for_memory();
  std::vector<std::uint32_t> ended;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (words[lane] == exited) ended.push_back(lane);
  }
  if (!ended.empty()) words[memory_word()] = memory_->end(words[memory_word()], ended);
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
  if (awaits_choice(state) || awaits_launch(state)) return false;
  for (std::uint32_t warp = 0; warp < places_.warps.size(); ++warp) {
    const warp_place& w = places_.warps[warp];
    if (!is_resident(state, w.block)) continue;
    const std::uint32_t enabled = has_stacks() ? front(state, warp) : w.full_mask();
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const std::uint32_t lane = w.first + i;
      if (!in(enabled, i) || state[lane] == exited) continue;
      using kind = operation_traits::kind;
      const kind what = traits(state[lane]).what;
      const bool alone = has_stacks() && is_memory_step(state[lane]);  // a syncwarp
      if (what == kind::barrier || (what == kind::collective && !alone)) return false;
      lanes.push_back(lane);
    }
  }
  return true;
}

// --- what memory learns of the program ---

bool machine::learn_access(std::uint32_t lane, const operation& op, const operation_traits& t) {
  if (learn_use(lane, op, t)) tell_of_location();
  return !is_cut();
}

// Lanes that may trade places have no lasting name, so an access by one of them counts as an access
// by several lanes.
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
  location_use one;
  if (keeps_place_[lane] != 0) one.lane = lane;
  one.stores = t.writes;
  one.suspicious = op.weak || op.scope == thread_scope_thread || memory_->is_narrow(op);
  one.ordinary = op.memory == detail::memory_kind::load ||
                 op.memory == detail::memory_kind::store ||
                 op.memory == detail::memory_kind::compare_exchange;
  one.arrives = may_run_ahead() && op.memory == detail::memory_kind::mbarrier;
  const bool is_own =
      t.block == no_block ? setup_.grid.blocks == 1 : t.block == places_.lanes[lane].block;
  one.loses_phases = !memory_->keeps_phases(op) || !is_own;
  const bool as_contested = !may_run_ahead();
  if (!renames()) return memory_->learn_use(t.offset, one, as_contested);
  if (memory_->knows_use(t.offset, one)) return false;
  bool news = false;
  for (const auto& [who, where] : renaming_->images_of({one.lane, t.offset})) {
    one.lane = who;
    news = memory_->learn_use(where, one, as_contested) || news;
  }
  return news;
}

// A shared location becomes contested if `lane` stands at an access to it while other lanes may
// reach a conflicting access: docs/reductions.md, "Barriers keep accesses apart".
void machine::learn_contested(state_view state, std::uint32_t lane, const operation_traits& t) {
  if (!may_run_ahead() || !memory_->is_in_order(t.offset) || !memory_->is_shared(t.offset)) return;
  if (is_left_alone(state, lane, 0)) return;
  bool news = false;
  if (renames()) {
    for (const auto& [who, where] : renaming_->images_of({location_use::several, t.offset})) {
      news = memory_->learn_contested(where) || news;
    }
  } else {
    news = memory_->learn_contested(t.offset);
  }
  if (news) tell_of_location();
}

// With wrong facts, lanes see memory that they never have. That leads to continuations that no lane
// ever reaches, and footprints count these. So the first shared locations are learnt one by one.
// With many locations, that would take too long.
void machine::tell_of_location() {
  constexpr std::size_t few = 16;
  memory_->count_shared() < few ? record_news() : note_news();
}

void machine::rename_facts() {
  if (!memory_->traits().learns_facts || !renames()) return;
  setup_.facts->close([this](std::uint32_t lane, std::uint32_t location) {
    return renaming_->images_of({lane, location});
  });
}

}  // namespace simt
