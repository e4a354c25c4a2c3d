// Searches for an end of a run depth first, then breadth first, and marks what it has learnt of
// states.
#include "checker/explore/ends/end_search.hpp"

#include <algorithm>

#include "checker/states/machine_shape.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t depth_first_states = 20'000;
constexpr std::uint64_t most_states_in_breadth = 200'000;
constexpr std::uint64_t end_states_between_looks = 64;  // states between two looks at the limits

}  // namespace

end_search::end_search(simt::machine& machine, const limits& bounds)
    : machine_(machine), limits_(bounds), table_(shape_of(machine)) {}

end_search::answer end_search::from(const simt::state_words& start) {
  if (!stopped_.empty()) return answer::unknown;
  simt::state_words representative = start;
  machine_.reduce(representative);
  const state_id id = table_.intern(representative).id;
  if (table_.mark(id) == reaches_end) return answer::ends;
  if (table_.mark(id) == reaches_none) return answer::never_ends;
  answer result = answer::unknown;
  try {
    result = depth_first(id);
    if (result == answer::unknown && stopped_.empty()) result = breadth_first(id);
  } catch (const simt::lane_automaton::given_up&) {
    entered_ = 0;
    out_of_bounds();
  }
  if (result == answer::unknown && stopped_.empty()) {
    stopped_ = {stop_reason::kind_of_deadlock,
                "whether a deadlock could end under independent scheduling is not decided"};
  }
  return result;
}

bool end_search::ends_at(state_id s) {
  table_.read(s, here_);
  machine_.successors(here_.words(), list_);
  return list_.here != simt::ending::none ||
         (list_.transitions.empty() && machine_.is_complete(here_.words())) ||
         std::ranges::any_of(list_.transitions, [](const simt::transition& t) {
           return t.ends != simt::ending::none;
         });
}

end_search::answer end_search::depth_first(state_id start) {
  struct frame {
    state_id state;
    std::size_t begin, next;  // positions in `pending`
  };
  ++search_;
  std::vector<frame> path;
  std::vector<state_id> pending;
  std::vector<state_id> seen;
  bool found = false;
  const auto enter = [&](state_id s) {
    table_.mark(s) = search_;
    seen.push_back(s);
    const std::size_t begin = pending.size();
    path.push_back({s, begin, begin});
    if (ends_at(s)) {
      found = true;
      return;
    }
    for (const simt::transition& t : list_.transitions) {
      if (!t.stays) pending.push_back(table_.intern(list_.state(t, machine_.words()), here_).id);
    }
  };
  enter(start);
  while (!path.empty() && !found) {
    frame& top = path.back();
    if (top.next == pending.size()) {
      pending.resize(top.begin);
      path.pop_back();
      continue;
    }
    const state_id next = pending[top.next++];
    const std::uint32_t mark = table_.mark(next);
    if (mark == search_ || mark == reaches_none) continue;
    if (mark == reaches_end) {
      found = true;
    } else if (seen.size() >= std::min(depth_first_states, most_states_) || out_of_bounds()) {
      return answer::unknown;
    } else {
      enter(next);
    }
  }
  if (found) {
    for (const frame& f : path) table_.mark(f.state) = reaches_end;
    return answer::ends;
  }
  for (const state_id s : seen) table_.mark(s) = reaches_none;
  return answer::never_ends;
}

end_search::answer end_search::breadth_first(state_id start) {
  ++search_;
  std::vector<state_id> seen{start};
  table_.mark(start) = search_;
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (ends_at(seen[at])) {
      table_.mark(start) = reaches_end;
      return answer::ends;
    }
    if (seen.size() >= std::min(most_states_in_breadth, most_states_) || out_of_bounds())
      return answer::unknown;
    for (const simt::transition& t : list_.transitions) {
      const state_id next = table_.intern(list_.state(t, machine_.words()), here_).id;
      std::uint32_t& mark = table_.mark(next);
      if (mark == reaches_end) {
        table_.mark(start) = reaches_end;
        return answer::ends;
      }
      if (mark == search_ || mark == reaches_none) continue;
      mark = search_;
      seen.push_back(next);
    }
  }
  for (const state_id s : seen) table_.mark(s) = reaches_none;
  return answer::never_ends;
}

bool end_search::out_of_bounds() {
  if (entered_++ % end_states_between_looks != 0) return false;
  if (limits_.stop != nullptr && limits_.stop->load()) {
    stopped_ = {stop_reason::interrupted, "interrupted while deciding the kind of a deadlock"};
  } else if (limits_.max_memory && bytes() + machine_.memory() > *limits_.max_memory) {
    stopped_ = {stop_reason::memory,
                "the limit of memory is reached while deciding the kind of a deadlock"};
  } else if (limits_.is_out_of_time()) {
    stopped_ = {stop_reason::time,
                "the limit of time is reached while deciding the kind of a deadlock"};
  }
  return !stopped_.empty();
}

}  // namespace warpcheck
