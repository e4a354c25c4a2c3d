// Lists steps of lanes in memory, one transition for each outcome of an operation.
//
// Models: nothing of its own; machine_memory decides what may happen.
#include <algorithm>

#include <simt/detail/agent.hpp>

#include "sim/machine/machine.hpp"

namespace simt {

void machine::memory_steps(state_view state, std::uint32_t lane, successor_list& out) {
  if (is_cut()) return;
  memory_request asked = request_of(state, lane);
  const bool is_access = asked.op.kind == operation_kind::memory;
  std::vector<std::uint32_t> together;
  if (is_access) {
    if (!learner_.learn_access(lane, asked.op, asked.traits)) return;
    learner_.learn_contested(state, lane, asked.traits);
    if (memory_->learn_unphased(asked)) news_.record();
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
  const std::function<bool(std::uint64_t)> repeats = [&](std::uint64_t answer) {
    return waits_with(state[lane], answer);
  };
  asked.repeats = &repeats;
  outcomes_.clear();
  memory_->list(asked, outcomes_);
  if (is_access && is_told_the_end(state, lane)) outcomes_.front().answer = detail::all_have_ended;
  for (const memory_outcome& one : outcomes_) {
    const std::size_t had = out.transitions.size();
    const choice by{choice::kind::lane, lane, one.number};
    if (one.races) {
      out.end_by(by, ending::race);
    } else if (one.stays) {
      out.add(by, state)[memory_word()] = one.memory;
    } else {
      const bool goes_on = one.is_own_phase && !waits_with(state[lane], one.answer);
      if (goes_on && memory_->learn_unphased(asked.traits.offset)) news_.record();
      take(state, lane, by, one, out);
    }
    for (std::size_t i = had; i < out.transitions.size(); ++i) {
      out.transitions[i].location = one.location;
      out.transitions[i].is_stale = one.is_stale;
    }
  }
  const bool wavers = outcomes_.size() > 1;
  if (wavers && ahead_ != nullptr && !is_cut() && memory_->learn_wavering(asked.traits.offset)) {
    news_.record();
  }
}

// Whether a lane that gets this answer from a location only asks the location again and again, as
// long as the answer stays the same.
bool machine::waits_with(continuation c, std::uint64_t answer) {
  const std::uint32_t location = lanes_.traits(c).offset;
  std::vector<continuation> round;
  constexpr std::size_t longest = 8;
  while (round.size() < longest) {
    using kind = operation_traits::kind;
    const operation_traits t = lanes_.traits(c);
    const operation_kind what = stores_.program.at(c).kind;
    const bool asks = t.what == kind::access && !t.writes && t.offset == location;
    if (!asks && what != operation_kind::nanosleep) return false;
    if (std::ranges::find(round, c) != round.end()) return true;
    round.push_back(c);
    c = lanes_.next(c, asks ? answer : 0);
    if (is_cut()) return true;  // what is explored is void
  }
  return false;
}

// Adds the step in which `lane` goes on with the answer of outcome `one`.
void machine::take(state_view state, std::uint32_t lane, const choice& by,
                   const memory_outcome& one, successor_list& out) {
  const continuation c = state[lane];
  const continuation first = lanes_.next(c, one.answer);
  const continuation next = lanes_.settle(lane, first);
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
  bool is_all = true;
  for (std::uint32_t warp = 0; warp < places_.warps.size(); ++warp) {
    const warp_place& w = places_.warps[warp];
    if (!is_resident(state, w.block)) continue;
    const std::uint32_t enabled = has_stacks() ? front(state, warp) : w.full_mask();
    for (std::uint32_t i = 0; i < w.lanes; ++i) {
      const std::uint32_t lane = w.first + i;
      if (!in(enabled, i) || state[lane] == exited) continue;
      using kind = operation_traits::kind;
      const kind what = lanes_.traits(state[lane]).what;
      const bool alone = has_stacks() && is_memory_step(state[lane]);  // a syncwarp
      if (what == kind::barrier || (what == kind::collective && !alone)) {
        is_all = false;
      } else {
        lanes.push_back(lane);
      }
    }
  }
  return is_all;
}

}  // namespace simt
