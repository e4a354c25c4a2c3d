// Runs readers of a promise alone, with the promise and without, to see whether the promise leads
// them on.
#include "sim/machine/promises/join_search.hpp"

#include <algorithm>
#include <span>

namespace simt {

weak_state join_search::memory_of(state_view state) const {
  return memory_.read(machine_.stores().images[state[machine_.memory_word()]]);
}

bool join_search::may_begin(std::uint32_t lane, const promised_store& one) {
  if (!one.how.strong || memory_.gave_up_bursts()) return false;
  machine_.program().give_up_in_time();
  const state_words key(state_.begin(), state_.end());
  auto known = early_.alone_.lead_on.find(key);
  if (known == early_.alone_.lead_on.end())
    known = early_.alone_.lead_on.emplace(key, all_lead_on()).first;
  return known->second && leads_on(lane, one);
}

// Whether each open promise leads some lane to a place where it reads something that may be
// promised.
bool join_search::all_lead_on() {
  const weak_state memory = memory_of(state_);
  state_words less(state_.begin(), state_.end());
  return std::ranges::all_of(early_.strong_unread(memory), [&](const unread_promise& u) {
    if (u.is_repetition) return true;
    less[machine_.memory_word()] = early_.memory_without(state_[machine_.memory_word()], u);
    const std::span all = memory.locations[u.x].messages;
    const bool replaceable = may_replace(all.first(u.place), all.subspan(u.place + 1U));
    return brings_about(u.owner, u.offset, less, state_,
                        [&](const auto& without, const auto& with) {
                          return replaceable || !std::ranges::includes(without.stops, with.stops);
                        });
  });
}

// Whether `one` leads some lane to a place where it reads something that may be promised, or to a
// store.
bool join_search::leads_on(std::uint32_t lane, const promised_store& one) {
  const weak_state memory = memory_of(state_);
  state_words after(state_.begin(), state_.end());
  after[machine_.memory_word()] = early_.memory_with(state_, memory, lane, one);
  const auto x = std::ranges::find(memory.locations, one.offset, &memory_location::key);
  std::span<const message> all;
  if (x != memory.locations.end()) all = x->messages;
  const std::size_t older = std::min(one.place, all.size());
  const bool replaceable = may_replace(all.first(older), all.subspan(older));
  return brings_about(lane, one.offset, state_, after, [&](const auto& without, const auto& with) {
    return replaceable || !std::ranges::includes(without.stops, with.stops) ||
           !std::ranges::all_of(with.all, [&](const promised_store& s) { return without.has(s); });
  });
}

// Whether `f` holds for some lane that, alone, reads the owner's promise at the location.
template <class F>
bool join_search::brings_about(std::uint32_t owner, std::uint32_t offset, state_view before,
                               state_view after, F f) {
  for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
    if (lane == owner || state_[lane] == exited) continue;
    // What the lane reads there first does not depend on the promise.
    const lone_stores& without = early_.stores_alone(before, lane);
    if (!std::ranges::binary_search(without.reads, offset)) continue;
    if (f(without, early_.stores_alone(after, lane))) return true;
  }
  return false;
}

bool join_search::may_replace(std::span<const message> older, std::span<const message> newer) {
  const auto tells = [](const message& m) {
    return !m.carries.empty() || m.linked || (m.promised && m.releases);
  };
  return !newer.empty() || std::ranges::any_of(older, tells);
}

}  // namespace simt
