// Implements the depth-first search, with the closing of components and a look near the root.
#include "checker/explore/depth_first.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "checker/explore/ends/endings.hpp"

namespace warpcheck {
namespace {

// States between two calls of `look`. With weak memory or many lanes, one state may take
// milliseconds.
constexpr std::uint64_t look_interval = 1024;
constexpr std::uint64_t weak_look_interval = 32;
constexpr std::uint64_t narrow_grid = 16;  // lanes
// States between two attempts to prove that one is dead, at most.
constexpr std::uint32_t proof_rarest = 4096;
constexpr std::uint64_t much = 1'000;      // states
constexpr std::size_t most_kept = 65'536;  // states of a way to a violation
// A path of so many states, or of so many for each lane, may go on for ever.
constexpr std::uint64_t least_deep = 2048, deep_for_each_lane = 64;
// Seconds that a search goes on behind a violation, where there may be no end of further states: on
// a deep path, or in a grid of whole warps.
constexpr double behind_in_endless = 2;
// If attempts have become that rare after so many states, they end. In a graph that is large all
// the same, they would take a large part of the time.
constexpr std::uint64_t proof_states = 32'768;

// Of the states of a path, so many for one that is looked at near the root.
constexpr std::uint64_t near_root_share = 8;
// So many of them are tried for a proof that they are dead, and behind these one of so many.
constexpr std::size_t tried_near_root = 4096;
constexpr std::uint32_t rarest_near_root = 64;

stop_cause defect_of_news() {
  return {stop_reason::defect, "what was assumed of the program does not hold"};
}

/// States between two calls of `look`. (With weak memory, each step makes a state of memory, which
/// is the larger, the more lanes there are.)
std::uint64_t interval_of(const simt::machine& machine) {
  const std::uint64_t lanes = std::max<std::uint64_t>(narrow_grid, machine.places().lanes.size());
  if (!machine.traits_of_memory().is_image) {
    const std::uint64_t squares = narrow_grid * narrow_grid;
    return std::max<std::uint64_t>(1, weak_look_interval * squares / (lanes * lanes));
  }
  return std::max(weak_look_interval, look_interval * narrow_grid / lanes);
}

}  // namespace

depth_first::depth_first(shared_search& shared, simt::machine& machine, std::uint32_t number,
                         std::function<void()> look)
    : shared_(shared),
      states_(shared.states),
      machine_(machine),
      number_(number),
      shared_with_others_(number != 0),
      look_(std::move(look)),
      checks_(machine, shared.options.final_check),
      livelocks_(machine, shared.options.fairness, shared.states),
      frames_({}, most_open),
      pending_({}, 0xffffffff),
      open_({}, most_open),
      random_(number + 1),
      proves_dead_(shared.options.prove_dead && number == 0),
      proof_(machine),
      look_interval_(interval_of(machine)),
      deep_(std::max(least_deep, deep_for_each_lane * machine.places().lanes.size())),
      next_look_near_root_(deep_) {
  attempts_.rarest = proof_rarest;
  if (shared.options.may_ask) proof_.may_ask(8 * machine.places().lanes.size());
}

depth_first::end depth_first::run(state_id root) {
  if (frames_.empty()) visit(root);
  while (!frames_.empty()) {
    if (shared_.stops.load(std::memory_order_relaxed)) return end::stopped;
    if (pending_.size() > frames_.back().begin) {
      const state_id next = pending_.back();
      pending_.pop();
      visit(next);
      end_behind_violation();
      if (entered_ >= shared_.bounds.share_after && is_alone_for_now()) return end::large;
    } else {
      leave();
      end_behind_violation();
    }
  }
  return shared_.stops.load(std::memory_order_relaxed) ? end::stopped : end::closed;
}

// After a violation an answer matters more than the rest of the graph. Without a limit, the search
// goes on for twice as much work again, and at least for some seconds. If transitions are slow, it
// counts time in place of work.
void depth_first::end_behind_violation() {
  if (frames_.empty() || !shared_.has_violation()) return;
  const limits& bounds = shared_.bounds;
  if (bounds.first)
    return shared_.stop({stop_reason::first_violation, "stopped at the first violation"});
  if (bounds.time) learn_in_time();
  if (bounds.time || bounds.max_states) return;
  const verdict_set found = shared_.found.load(std::memory_order_relaxed);
  if (seen_at_ == 0 || found != seen_) {
    seen_ = found;
    seen_at_ = std::max<std::uint64_t>(transitions_, 1);
    seen_after_ = bounds.seconds();
  }
  const std::uint64_t enough = std::max(2 * seen_at_, least_behind_violation());
  const bool is_wide = machine_.places().lanes.size() >= 2 * narrow_grid;
  const bool may_be_endless = is_wide || depth_ >= deep_;
  const double behind = may_be_endless ? std::min(bounds.behind, behind_in_endless) : bounds.behind;
  const bool is_long = bounds.seconds() > seen_after_ + std::max(2 * seen_after_, behind);
  if (transitions_ <= seen_at_ + enough && !is_long) return;
  shared_.stop({stop_reason::long_after_violation,
                "stopped long after a violation was seen, with no other kind of them since"});
}

// A deadlock counts only if what the round assumes of the program holds. If the round learnt more,
// it is void, so another one begins once half of the time is over that is left for the deadlock.
// Not if there is another violation, which counts in any case: the next round might not find it.
void depth_first::learn_in_time() {
  const verdict_set found = shared_.found.load(std::memory_order_relaxed);
  const bool rests = shared_.has_dead_states || (found & rest_on_all_steps) != 0;
  if (!rests || (found & ~rest_on_all_steps) != 0) return;
  if (has_asked_ || number_ != 0 || shared_with_others_) return;
  const limits& bounds = shared_.bounds;
  const double now = bounds.spent + bounds.seconds();
  if (seen_after_ == 0) seen_after_ = now;
  if (now < (seen_after_ + *bounds.time) / 2) return;
  has_asked_ = true;
  const bool learnt = shared_.options.has_learnt && shared_.options.has_learnt();
  if (machine_.has_news()) return shared_.stop(defect_of_news());
  if (learnt) shared_.stop_to_learn();
}

// The bound in transitions. In a wide grid each transition moves more words, and each state has
// more lanes to look at.
std::uint64_t depth_first::least_behind_violation() const {
  constexpr std::uint64_t narrow = 2'000'000, weak = 16;
  const std::uint64_t warps = std::max<std::uint64_t>(machine_.places().lanes.size() / 32, 1);
  return narrow / (warps * warps * warps) / (machine_.traits_of_memory().is_image ? 1 : weak);
}

void depth_first::share() {
  if (shared_with_others_) return;
  shared_with_others_ = true;
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    states_.mark(open_[i]) = state_mark::open;
    index_of_.insert(open_[i], i);
  }
}

void depth_first::meet(frame& f, std::uint32_t index) {
  f.low = std::min(f.low + 0U, index) & state_mark::index_bits;
}

void depth_first::meet_closed(frame& f, std::uint32_t mark) {
  if ((mark & state_mark::reaches_end) != 0) f.reaches_end = 1;
  f.leaves = 1;
}

// A successor of the state on top of the path (or the root).
void depth_first::visit(state_id s) {
  const std::uint32_t seen = mark(s).load(std::memory_order_acquire);
  if ((seen & state_mark::closed) != 0) {
    if (!frames_.empty()) meet_closed(frames_.back(), seen);
    return;
  }
  if (seen != 0) {
    const std::uint32_t index = index_of(s, seen);
    if (index != not_open) return meet(frames_.back(), index);
  }
  if (shared_with_others_ && !frames_.empty()) {
    // If another search has closed the state on top, its remaining successors are not new.
    const frame& top = frames_.back();
    if ((mark(open_[top.index]).load(std::memory_order_acquire) & state_mark::closed) != 0) {
      return pending_.cut(top.begin);
    }
  }
  enter(s);
}

// Attempts become rare where they fail, and frequent where they succeed.
bool depth_first::is_proved_dead(simt::state_view state, pace& attempts) {
  if (!proves_dead_ || attempts.wait-- != 0) return false;
  // The proof may lack only a few answers that no lane was given yet. Asking for them may show that
  // the explored states are void, so do not ask once these are many.
  if (entered_ >= much) proof_.may_ask(0);
  const bool proved = proof_.proves(state);
  if (machine_.has_news()) return false;
  attempts.interval = proved ? 1 : std::min(2 * attempts.interval, attempts.rarest);
  attempts.wait = attempts.interval - 1;
  proves_dead_ = attempts.interval < proof_rarest || entered_ < proof_states;
  return proved;
}

// The first search that comes to a state counts it.
bool depth_first::mark_open(state_id s, std::uint32_t index) {
  if (!shared_with_others_) {
    std::uint32_t& mark = states_.mark(s);
    const bool first = mark == 0;
    mark = state_mark::open | index;
    return first;
  }
  index_of_.insert(s, index);
  std::uint32_t none = 0;
  return mark(s).compare_exchange_strong(none, state_mark::open, std::memory_order_relaxed);
}

// Puts `s` on the path, with its successors.
void depth_first::enter(state_id s) {
  if (entered_ % look_interval_ == 0) {
    index_memory_.store(index_of_.memory(), std::memory_order_relaxed);
    look_();
  }
  const auto& most_states = shared_.bounds.max_states;
  if (most_states && states_.size() >= *most_states && !frames_.empty()) {
    return shared_.stop(limits::reached_states(*most_states));
  }
  if (open_.size() == most_open) throw std::length_error("more open states than can be numbered");
  ++entered_;
  frame f{};
  f.index = static_cast<std::uint32_t>(open_.size());
  f.low = f.index & state_mark::index_bits;
  f.begin = static_cast<std::uint32_t>(pending_.size());
  const bool first = mark_open(s, f.index);
  open_.push(s);
  states_.read(s, here_);
  const bool is_dead = is_proved_dead(here_.words(), attempts_);
  if (!is_dead) machine_.successors(here_.words(), list_);
  if (machine_.has_news()) return shared_.stop(defect_of_news());
  if (is_dead) {
    f.proved = 1;
    frames_.push(f);
    return;
  }
  if (first) transitions_ += list_.transitions.size();
  const verdict_set seen_before = shared_.found.load(std::memory_order_relaxed);
  const seen_endings ends = note_endings(shared_, machine_, checks_, here_.words(), list_);
  if (ends.reaches_end) f.reaches_end = 1;
  skipped_races_ = skipped_races_ || ends.skipped_races;
  if (const verdict_set found = shared_.found.load(std::memory_order_relaxed); found != seen_before)
    keep_way(static_cast<verdict_set>(found & ~seen_before), s);
  follow(s, f);
  frames_.push(f);
  depth_ = std::max<std::uint64_t>(depth_, frames_.size());
  if (number_ != 0 || frames_.size() < next_look_near_root_) return;
  next_look_near_root_ *= 2;
  look_near_root(frames_.size() / near_root_share);
}

/// Looks at so many further states in order of their distance from the root.
void depth_first::look_near_root(std::uint64_t states) {
  if (before_.empty()) {
    const state_id root = open_[frames_[0].index];
    before_.emplace(root, root);
    near_root_.push_back(root);
  }
  for (; states > 0 && !near_root_.empty(); --states) {
    const state_id s = near_root_.front();
    near_root_.pop_front();
    if ((mark(s).load(std::memory_order_acquire) & state_mark::closed) == 0) look_near_root_at(s);
    if (shared_.stops.load(std::memory_order_relaxed)) return;
  }
  const auto& knows_all = shared_.options.knows_all_accesses;
  if (knows_all && !shared_.has_violation() && !knows_all()) shared_.stop_to_learn();
}

void depth_first::look_near_root_at(state_id s) {
  const auto& most_states = shared_.bounds.max_states;
  if (most_states && states_.size() >= *most_states) return;
  if (before_.size() > tried_near_root) attempts_near_root_.rarest = rarest_near_root;
  states_.read(s, here_);
  const bool is_entered = mark(s).load(std::memory_order_acquire) != 0;  // its path decides
  const bool is_dead = !is_entered && is_proved_dead(here_.words(), attempts_near_root_);
  if (!is_dead) machine_.successors(here_.words(), list_);
  if (machine_.has_news()) return shared_.stop(defect_of_news());
  if (is_dead) return close_as_dead(s);
  const verdict_set seen_before = shared_.found.load(std::memory_order_relaxed);
  note_endings(shared_, machine_, checks_, here_.words(), list_);
  if (const verdict_set found = shared_.found.load(std::memory_order_relaxed);
      found != seen_before) {
    std::vector<state_id> way{s};
    while (before_.at(way.back()) != way.back()) way.push_back(before_.at(way.back()));
    std::ranges::reverse(way);
    shared_.keep_way(static_cast<verdict_set>(found & ~seen_before), way);
  }
  for (const simt::transition& t : list_.transitions) {
    if (t.ends != simt::ending::none || t.stays) continue;
    const state_id next =
        states_.intern(states_.key_of(list_.state(t, machine_.words()), here_)).id;
    if (before_.try_emplace(next, s).second) near_root_.push_back(next);
  }
}

/// A state that was proved to be dead before any search has entered it.
void depth_first::close_as_dead(state_id s) {
  std::uint32_t none = 0;
  if (!mark(s).compare_exchange_strong(none, state_mark::closed | state_mark::proved)) return;
  if (!never_keeps_promises({&s, 1})) shared_.has_dead_states.store(true);
}

// Keeps the path to `s`, which has shown a new violation, in case there is no time to look for a
// short run. (If another thread has found the violation, this path does not show it.)
void depth_first::keep_way(verdict_set kinds, state_id s) {
  if (frames_.size() > most_kept) return;
  std::vector<state_id> way;
  for (std::uint32_t i = 0; i < frames_.size(); ++i) way.push_back(open_[frames_[i].index]);
  way.push_back(s);
  shared_.keep_way(kinds, way);
}

// Looks up the successors of `s`, and keeps those that no search has entered yet.
void depth_first::follow(state_id s, frame& f) {
  const std::size_t words = machine_.words();
  keys_.clear();
  for (const simt::transition& t : list_.transitions) {
    if (t.ends != simt::ending::none || t.stays) continue;
    keys_.push_back(states_.key_of(list_.state(t, words), here_));
    states_.prefetch_slot(keys_.back());
  }
  for (compressed_table::key& k : keys_) states_.prefetch_record(k);
  const bool chooses = machine_.awaits_choice(here_.words());
  bool loops = false;
  bool leaves_alone = false;  // some lane's one transition does not stay
  // From the last to the first: the first is then on top.
  auto key = keys_.end();
  for (auto t = list_.transitions.rbegin(); t != list_.transitions.rend(); ++t) {
    if (t->ends != simt::ending::none) continue;
    const state_id next = t->stays ? s : states_.intern(*--key).id;
    if (chooses && (t->stays || machine_.awaits_choice(list_.state(*t, words))))
      shared_.keep_choice(s, next);
    if (next == s) {
      loops = true;
      continue;
    }
    leaves_alone =
        leaves_alone || (t->by.what == simt::choice::kind::lane && !t->by.is_at_choose());
    const std::uint32_t seen = mark(next).load(std::memory_order_acquire);
    if ((seen & state_mark::closed) != 0) {
      meet_closed(f, seen);
      continue;
    }
    const std::uint32_t index = seen != 0 ? index_of(next, seen) : not_open;
    if (index != not_open) {
      meet(f, index);
    } else {
      if (pending_.size() == 0xffffffff) throw std::length_error("too many open states");
      pending_.push(next);
    }
  }
  if (shared_with_others_) arrange(pending_.from(f.begin));
  // Under `its`, a lane whose step leaves the state has no step that stays in it, except at a
  // choose. If such a lane is owed progress, a fair run cannot stay in the state.
  const bool unfair_to_a_lane = leaves_alone && !machine_.has_stacks() &&
                                machine_.traits_of_memory().is_image &&
                                machine_.owes() == simt::progress::fair;
  f.stays = loops && !unfair_to_a_lane && shared_.wants(verdict::livelock) &&
            livelocks_.can_stay_at(s, here_.words(), list_);
  if (livelocks_.moves_too_much()) shared_.stop_for_moves();
}

// Orders the successors in this search's own order. States that other searches have open come last,
// since they may be closed by then. (The top of the stack comes first.)
void depth_first::arrange(std::span<state_id> next) {
  if (number_ != 0) std::ranges::shuffle(next, random_);
  std::ranges::partition(next,
                         [&](state_id s) { return mark(s).load(std::memory_order_relaxed) != 0; });
}

// All successors of the state on top have been looked at.
void depth_first::leave() {
  frame done = frames_.back();
  frames_.pop();
  const bool is_root = done.low == done.index;
  if (is_root) close(done);
  if (frames_.empty()) return;
  frame& parent = frames_.back();
  if (done.reaches_end != 0) parent.reaches_end = 1;
  if (is_root) {
    parent.leaves = 1;
  } else {
    if (done.leaves != 0) parent.leaves = 1;
    meet(parent, done.low);
  }
}

// Step 1, and step 2 until all states are claimed. False: another search has claimed the component.
bool depth_first::claim(std::span<const state_id> members) {
  std::uint32_t open = state_mark::open;
  if (!mark(std::ranges::min(members))
           .compare_exchange_strong(open, state_mark::open | state_mark::claimed,
                                    std::memory_order_acq_rel)) {
    return false;
  }
  for (const state_id m : members) {
    mark(m).store(state_mark::open | state_mark::claimed, std::memory_order_relaxed);
  }
  return true;
}

// With weak memory, some lane may have an open promise in each state of the component. Then it is
// no deadlock although no run ends in it: a run that stays there is no execution. States behind the
// component count.
bool depth_first::never_keeps_promises(std::span<const state_id> members) {
  if (machine_.traits_of_memory().is_image) return false;
  return std::ranges::all_of(members, [&](state_id s) {
    states_.read(s, here_);
    return machine_.has_promises(here_.words());
  });
}

// All that can be reached from the component of `f` has been explored.
void depth_first::close(frame& f) {
  const std::span<const state_id> members = open_.from(f.index);
  std::uint32_t component = f.proved != 0 ? state_mark::proved : state_mark::alone;
  const bool is_mine = !shared_with_others_ || claim(members);
  if (is_mine) {
    if (members.size() > 1) {
      component = shared_.next_component.fetch_add(1, std::memory_order_relaxed);
    }
    if (component >= state_mark::component_bits) {
      component = state_mark::component_bits;  // the search ends: nobody asks for it
      shared_.stop({stop_reason::too_many_to_number, "more components than can be numbered"});
    }
    const std::uint32_t closed = state_mark::closed | component |
                                 (f.reaches_end != 0 ? state_mark::reaches_end : 0) |
                                 (f.leaves != 0 ? state_mark::leaves : 0);
    for (const state_id m : members) mark(m).store(closed, std::memory_order_release);
    if (f.reaches_end == 0) {
      if (!never_keeps_promises(members)) {
        shared_.has_dead_states.store(true, std::memory_order_relaxed);
      }
    } else if (shared_.wants(verdict::livelock) &&
               (members.size() > 1 ? livelocks_.can_stay_in(members) : f.stays != 0)) {
      shared_.report(verdict::livelock);
    }
    if (livelocks_.moves_too_much()) shared_.stop_for_moves();
  } else {
    std::uint32_t said = 0;
    while (((said = mark(members.front()).load(std::memory_order_acquire)) & state_mark::closed) ==
           0) {
      std::this_thread::yield();
    }
    f.reaches_end = (said & state_mark::reaches_end) != 0 ? 1 : 0;
  }
  if (shared_with_others_) {
    for (const state_id m : members) index_of_.erase(m);
  }
  open_.cut(f.index);
}

}  // namespace warpcheck
