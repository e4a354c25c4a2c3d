#include "sim/machine/join_search.hpp"

#include <algorithm>
#include <iterator>

namespace simt {

weak_state machine::join_search::memory_of(state_view state) const {
  return machine_.weak_->read(machine_.stores_.images[state[machine_.memory_word()]]);
}

// Lanes that come to further stops by reading an open promise, and what they read there. (Those
// that a lane needs for a store come in the order in which it reads them: so with each of them it
// comes to where it reads the next one, with other values than without.)
std::vector<machine::join_goal> machine::join_search::goals() {
  std::vector<join_goal> all;
  state_words less(state_.begin(), state_.end());
  for (const unread_promise& u : machine_.strong_unread(memory_of(state_))) {
    if (u.is_repetition) continue;
    less[machine_.memory_word()] = machine_.memory_without(state_[machine_.memory_word()], u);
    for (std::uint32_t lane = 0; lane < machine_.places_.lanes.size(); ++lane) {
      if (lane == u.owner || state_[lane] == exited) continue;
      const lone_stores& with = machine_.stores_alone(state_, lane);
      if (!std::ranges::binary_search(with.reads, u.offset)) continue;
      const lone_stores& without = machine_.stores_alone(less, lane);
      join_goal goal{lane, u, {}};
      for (const continuation stop : with.stops) {
        if (std::ranges::binary_search(without.stops, stop)) continue;
        goal.reads.push_back(machine_.traits(stop).offset);
      }
      if (!goal.reads.empty()) all.push_back(std::move(goal));
    }
  }
  return all;
}

bool machine::join_search::finds(std::uint32_t lane, const promised_store& one) {
  if (!one.how.strong || machine_.weak_->gave_up_bursts()) return false;
  machine_.stores_.program.give_up_in_time();
  const state_words key(state_.begin(), state_.end());
  auto known = machine_.alone_.goals.find(key);
  if (known == machine_.alone_.goals.end())
    known = machine_.alone_.goals.emplace(key, goals()).first;
  state_words after;
  for (const join_goal& goal : known->second) {
    const bool reads = std::ranges::find(goal.reads, one.offset) != goal.reads.end();
    if (goal.lane == lane || !reads) continue;
    if (after.empty()) {
      after = key;
      after[machine_.memory_word()] = machine_.memory_with(state_, memory_of(state_), lane, one);
    }
    if (is_joined(goal, after)) return true;
  }
  return false;
}

// Whether the goal's lane comes to something with the further promise that it comes to neither
// without that nor without the open one.
bool machine::join_search::is_joined(const join_goal& goal, state_view after) {
  const lone_stores& without = machine_.stores_alone(state_, goal.lane);
  const lone_stores& with = machine_.stores_alone(after, goal.lane);
  std::vector<continuation> stops;
  std::ranges::set_difference(with.stops, without.stops, std::back_inserter(stops));
  std::vector<promised_store> stores;
  std::ranges::copy_if(with.all, std::back_inserter(stores),
                       [&](const promised_store& s) { return s.how.strong && !without.has(s); });
  if (stops.empty() && stores.empty()) return false;
  state_words less(after.begin(), after.end());
  for (const unread_promise& u : machine_.strong_unread(memory_of(after))) {
    if (u.owner != goal.open.owner || u.offset != goal.open.offset) continue;
    less[machine_.memory_word()] = machine_.memory_without(after[machine_.memory_word()], u);
    const lone_stores& fewer = machine_.stores_alone(less, goal.lane);
    if (!std::ranges::includes(fewer.stops, stops)) return true;
    const auto is_had = [&](const promised_store& s) { return fewer.has(s); };
    if (!std::ranges::all_of(stores, is_had)) return true;
  }
  return false;
}

}  // namespace simt
