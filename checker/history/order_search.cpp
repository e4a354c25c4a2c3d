// Walks through calls and returns, places steps when they must return, and undoes them when it goes
// back.
#include "checker/history/order_search.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace warpcheck {
namespace {

// Bounds the number of events that rounds between two looks at the limits look at.
constexpr std::uint64_t events_in_time = 65'536;

}  // namespace

order_search::order_search(const simt::spec::specification& spec, std::span<const timed_step> steps,
                           std::vector<simt::spec::state> initial, const history_limits& limits)
    : spec_(spec),
      steps_(steps),
      initial_(std::move(initial)),
      limits_(limits),
      store_(spec),
      is_observer_(steps.size()),
      is_placed_(steps.size()),
      next_(steps.size() + 1),
      previous_(steps.size() + 1) {
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    const timed_step& s = steps_[i];
    signature_.push_back(store_.signature_of(s));
    is_observer_[i] = s.has_result && !s.may_be_done && spec_.role_of(s.what, s.returned).observer;
    if (signature_[i] >= alike_.size()) alike_.resize(signature_[i] + 1, 0);
  }
  next_.back() = previous_.back() = static_cast<std::uint32_t>(steps_.size());
  order_events();
  guess_takes();
}

void order_search::order_events() {
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    events_.push_back({steps_[i].called, i, false});
    if (steps_[i].returns != never) events_.push_back({steps_[i].returns, i, true});
  }
  std::ranges::stable_sort(events_, [](const event& a, const event& b) {
    return a.when != b.when ? a.when < b.when : a.is_return < b.is_return;
  });
  slot_.resize(steps_.size());
  std::vector<std::uint32_t> free;
  std::uint32_t slots = 0;
  for (const event& e : events_) {
    if (e.is_return) {
      free.push_back(slot_[e.step]);
    } else if (free.empty()) {
      slot_[e.step] = slots++;
    } else {
      slot_[e.step] = free.back();
      free.pop_back();
    }
  }
  mask_.resize(slots / 64 + 1);
}

answer order_search::run() {
  std::uint64_t rounds = 0;
  // A round may look at all events after its own.
  const std::uint64_t between_looks =
      std::clamp<std::uint64_t>(events_in_time / (events_.size() + 1), 1, 4'096);
  for (const simt::spec::state& from : initial_) {
    if (start(from)) return answer::explained;
    while (!frames_.empty()) {
      if (++rounds % between_looks == 0) {
        if (const char* why = limits_.exceeded(bytes())) {
          stopped_by_ = why;
          return answer::stopped;
        }
      }
      frame& top = frames_.back();
      undo(top.changes, top.ordered);
      state_ = top.state;
      if (!next_candidate(top)) {
        frames_.pop_back();
        continue;
      }
      const std::uint32_t event = top.event;
      const std::uint32_t step = top.candidate;
      const state_number after = store_.after(state_, signature_[step])[top.target++];
      place(step, after);
      if (advance(event)) return answer::explained;
    }
    undo(0, 0);
  }
  return answer::impossible;
}

bool order_search::start(const simt::spec::state& from) {
  state_ = store_.number_of(from);
  return advance(0);
}

// Goes on to the first return of a step that is not placed, and leaves a frame there. True: there
// is no such return, so all steps are placed.
bool order_search::advance(std::uint32_t event) {
  bool calls = true;  // calls have come, or the state is new, so observers may be legal now
  for (; event < events_.size(); ++event) {
    const std::uint32_t step = events_[event].step;
    if (!events_[event].is_return) {
      link(step);
      changes_.push_back({change::kind::opened, step});
      calls = true;
      continue;
    }
    if (calls) place_observers();
    calls = false;
    furthest_ = std::max(furthest_, event);
    if (!seen_.insert({event, state_, mask_key()}).second) return false;
    if (!is_placed_[step]) {
      frames_.push_back({event, state_, changes_.size(), order_.size(), no_operation, 0});
      return false;
    }
    flip(step);
    changes_.push_back({change::kind::closed, step});
  }
  return true;
}

// Finds the next pending step, by turn, that may go and is enabled.
bool order_search::next_candidate(frame& top) {
  const auto head = static_cast<std::uint32_t>(steps_.size());
  const std::uint32_t must = events_[top.event].step;
  for (;;) {
    if (top.candidate != no_operation && may_go(top.candidate) &&
        top.target < store_.after(top.state, signature_[top.candidate]).size()) {
      return true;
    }
    std::optional<turn> last, best;
    if (top.candidate != no_operation) last = turn_of(top.candidate, must);
    for (std::uint32_t step = next_[head]; step != head; step = next_[step]) {
      const turn one = turn_of(step, must);
      if ((!last || *last < one) && (!best || one < *best)) best = one;
    }
    if (!best) return false;
    top.candidate = best->step;
    top.target = 0;
  }
}

order_search::turn order_search::turn_of(std::uint32_t step, std::uint32_t must) const {
  if (step == must) return {1, 0, step};
  const bool both_put = taken_from_[step] != 0 && taken_from_[must] != 0;
  if (both_put && spec_.known_as() == simt::spec::family::fifo &&
      taken_until_[step] < taken_until_[must]) {
    return {0, taken_until_[step], step};  // first out, first in
  }
  if (both_put && spec_.known_as() == simt::spec::family::lifo &&
      steps_[step].returns < taken_from_[must] && taken_until_[step] > taken_until_[must]) {
    return {0, never - taken_until_[step], step};  // last out, and in before the other is out
  }
  return {2, steps_[step].called, step};
}

// Guesses that the n-th put of a value is taken by the n-th take of the value.
void order_search::guess_takes() {
  taken_from_.resize(steps_.size(), 0);
  taken_until_.resize(steps_.size(), 0);
  const auto family = spec_.known_as();
  if (family != simt::spec::family::fifo && family != simt::spec::family::lifo) return;
  std::unordered_map<simt::spec::value, std::vector<std::uint32_t>> takes;
  std::unordered_map<simt::spec::value, std::size_t> puts;
  for (const event& e : events_) {
    const timed_step& s = steps_[e.step];
    if (!e.is_return && s.what.operation == 1 && s.has_result && s.returned.is_some) {
      takes[s.returned.what].push_back(e.step);
    }
  }
  for (const event& e : events_) {
    const timed_step& s = steps_[e.step];
    if (e.is_return || s.what.operation != 0) continue;
    const auto& of_value = takes[s.what.arguments[0]];
    const std::size_t number = puts[s.what.arguments[0]]++;
    taken_from_[e.step] = number < of_value.size() ? steps_[of_value[number]].called + 1 : never;
    taken_until_[e.step] = number < of_value.size() ? steps_[of_value[number]].returns : never;
  }
}

bool order_search::may_go(std::uint32_t step) const {
  const timed_step& s = steps_[step];
  if (s.after != no_operation && !is_placed_[s.after]) return false;
  if (alike_[signature_[step]] < 2) return true;
  // Of steps that do the same, the later one waits. Steps of one operation never do the same.
  const auto head = static_cast<std::uint32_t>(steps_.size());
  for (std::uint32_t other = next_[head]; other != head; other = next_[other]) {
    if (other == step || signature_[other] != signature_[step]) continue;
    const timed_step& o = steps_[other];
    const bool first = o.returns != s.returns ? o.returns < s.returns : other < step;
    if (first && (o.after == no_operation || is_placed_[o.after])) return false;
  }
  return true;
}

void order_search::place_observers() {
  const auto head = static_cast<std::uint32_t>(steps_.size());
  for (std::uint32_t step = next_[head]; step != head;) {
    const std::uint32_t following = next_[step];
    const std::uint32_t before = steps_[step].after;
    if (is_observer_[step] && (before == no_operation || is_placed_[before])) {
      const auto after = store_.after(state_, signature_[step]);
      if (after.size() == 1 && after[0] == state_) place(step, state_);
    }
    step = following;
  }
}

void order_search::link(std::uint32_t step) {
  const auto head = static_cast<std::uint32_t>(steps_.size());
  previous_[step] = previous_[head];
  next_[step] = head;
  next_[previous_[head]] = step;
  previous_[head] = step;
  ++alike_[signature_[step]];
}

void order_search::unlink(std::uint32_t step) {
  next_[previous_[step]] = next_[step];
  previous_[next_[step]] = previous_[step];
  --alike_[signature_[step]];
}

void order_search::place(std::uint32_t step, state_number after) {
  unlink(step);
  is_placed_[step] = true;
  flip(step);
  state_ = after;
  order_.push_back(step);
  changes_.push_back({change::kind::placed, step});
}

void order_search::undo(std::size_t changes, std::size_t ordered) {
  while (changes_.size() > changes) {
    const change last = changes_.back();
    changes_.pop_back();
    switch (last.what) {
      case change::kind::opened: unlink(last.step); break;
      case change::kind::closed: flip(last.step); break;
      case change::kind::placed:
        // This step was unlinked last, so its neighbours are still those that it remembers.
        next_[previous_[last.step]] = last.step;
        previous_[next_[last.step]] = last.step;
        ++alike_[signature_[last.step]];
        is_placed_[last.step] = false;
        flip(last.step);
        break;
    }
  }
  order_.resize(ordered);
}

std::uint64_t order_search::mask_key() {
  if (mask_.size() == 1) return mask_[0];
  std::string bytes(reinterpret_cast<const char*>(mask_.data()), mask_.size() * 8);
  return wide_masks_.try_emplace(std::move(bytes), wide_masks_.size()).first->second;
}

std::uint64_t order_search::bytes() const {
  return store_.bytes() + seen_.bucket_count() * (sizeof(configuration) + 1) +
         wide_masks_.size() * (mask_.size() * 8 + 72) + changes_.capacity() * sizeof(change) +
         frames_.capacity() * sizeof(frame) + events_.size() * 64;
}

std::vector<order_search::moment> order_search::moments(std::size_t most) const {
  struct common {
    std::vector<state_number> states;
    std::uint64_t some = 0, all = ~std::uint64_t{0};
  };
  // A walk over all seen configurations for each return would be too much. One for the last returns
  // is not.
  std::vector<std::uint32_t> last;
  for (std::uint32_t e = furthest_ + 1; e-- > 0 && last.size() < most;) {
    if (events_[e].is_return) last.push_back(e);
  }
  std::ranges::reverse(last);
  std::vector<common> found(last.size());
  for (const configuration& c : seen_) {
    const auto at = std::ranges::lower_bound(last, c.event);
    if (at == last.end() || *at != c.event) continue;
    common& f = found[static_cast<std::size_t>(at - last.begin())];
    f.states.push_back(c.state);
    f.some |= c.placed;
    f.all &= c.placed;
  }
  std::vector<moment> all;
  for (std::size_t i = 0; i < last.size(); ++i) {
    common& f = found[i];
    if (f.states.empty()) continue;
    std::ranges::sort(f.states);
    f.states.erase(std::unique(f.states.begin(), f.states.end()), f.states.end());
    moment m{events_[last[i]].when, {}, {}, {}};
    for (const state_number s : f.states) m.states.push_back(store_.state(s));
    for (std::uint32_t step = 0; step < steps_.size(); ++step) {
      if (steps_[step].called >= m.when || steps_[step].returns < m.when) continue;
      const std::uint64_t bit = std::uint64_t{1} << slot_[step] % 64;
      const bool exact = mask_.size() == 1;  // otherwise `placed` is no set of bits
      if (!exact || (f.some & bit) != 0) m.sometimes.push_back(step);
      if (exact && (f.all & bit) != 0) m.always.push_back(step);
    }
    all.push_back(std::move(m));
  }
  return all;
}

std::vector<simt::spec::result> order_search::possible_results() const {
  std::vector<simt::spec::result> found;
  const timed_step& stuck = steps_[stuck_at()];
  if (!stuck.has_result) return found;
  for (const configuration& c : seen_) {
    if (c.event != furthest_) continue;
    simt::spec::outcomes out;
    spec_.apply(store_.state(c.state), stuck.what, out);
    for (const auto& o : out.all()) {
      if (std::ranges::find(found, o.returned) == found.end()) found.push_back(o.returned);
    }
  }
  std::ranges::sort(found, {}, [](const auto& r) { return std::pair(r.is_some, r.what); });
  return found;
}

}  // namespace warpcheck
