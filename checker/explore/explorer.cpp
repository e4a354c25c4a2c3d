#include "checker/explore/explorer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checker/explore/fairness.hpp"
#include "checker/explore/quotient_fairness.hpp"

namespace warpcheck {
namespace {

// Livelocks to remember: the nearest of them is shown.
constexpr std::size_t much = 1'000;            // states
constexpr std::size_t most_renamed = 100'000;  // final memories that one stands for
constexpr std::size_t livelock_sample = 256;
// States between two looks at the clock.
constexpr std::uint32_t look_interval = 2048;
// States between two attempts to prove that one is dead, at most.
constexpr std::uint32_t proof_rarest = 4096;

}  // namespace

explorer::explorer(simt::machine& machine, explore_options options, const limits& bounds)
    : machine_(machine),
      options_(std::move(options)),
      limits_(bounds),
      start_(std::chrono::steady_clock::now()),
      table_(machine.words()),
      proof_(machine),
      proof_questions_(8 * static_cast<std::uint32_t>(machine.places().lanes.size())) {}

void explorer::run(std::span<const simt::state_words> roots) {
  for (const simt::state_words& root : roots) {
    const state_id id = table_.intern(root).id;
    if (table_.mark(id) != 0) continue;
    enter(id);
    while (!frames_.empty()) {
      frame& f = frames_.back();
      if (f.next < pending_.size()) {
        const state_id next = pending_[f.next++];
        const std::uint32_t mark = table_.mark(next);
        if (mark == 0) {
          if (out_of_bounds()) return;
          enter(next);
        } else if ((mark & closed) != 0) {
          table_.mark(f.state) |= (mark & reaches_end) | leaves;
        } else {
          f.low = std::min(f.low, mark & number_bits);
        }
        continue;
      }
      const frame done = f;
      pending_.resize(done.begin);
      frames_.pop_back();
      const bool is_root = done.low == order(done.state);
      if (is_root) close(done);
      if (frames_.empty()) break;
      frame& parent = frames_.back();
      if (is_root) {
        table_.mark(parent.state) |= (table_.mark(done.state) & reaches_end) | leaves;
      } else {
        parent.low = std::min(parent.low, done.low);
      }
      const bool dead = has_dead_states_ && (options_.check & deadlocks) != 0;
      if (limits_.first && (found_ != 0 || dead)) {
        stopped_ = "stopped at the first violation";
        return;
      }
    }
  }
  // Where no access was known to race, one behind the next move may have turned out to since.
  if (skipped_races_ && machine_.may_race()) {
    for (state_id s = 0; s < table_.size() && wants(verdict::race); ++s) {
      if (!is_proved(s) && has_race(s)) report(verdict::race);
    }
    skipped_races_ = false;
  }
  peak_bytes_ = std::max(peak_bytes_, bytes());
}

// Attempts become rare where they fail, and frequent where they succeed.
bool explorer::is_proved_dead(simt::state_view state) {
  if (!options_.prove_dead || proof_wait_-- != 0) return false;
  bool proved = proof_.proves(state);
  // A few answers that nobody has had yet may be all that it lacks. To ask may show that what was
  // explored so far is void: not once that is much.
  while (!proved && proof_.missing() && proof_questions_ > 0 && table_.size() < much) {
    --proof_questions_;
    machine_.program().outcome(proof_.missing()->at, proof_.missing()->answer);
    proved = proof_.proves(state);
  }
  proof_interval_ = proved ? 1 : std::min(2 * proof_interval_, proof_rarest);
  proof_wait_ = proof_interval_ - 1;
  return proved;
}

// Explores the transitions of `s` and pushes its frame.
void explorer::enter(state_id s) {
  std::uint32_t& mark = table_.mark(s);  // states do not move
  mark = ++entered_;
  const simt::state_view state = table_[s];
  if (is_proved_dead(state)) {
    proved_.insert(s);
    const auto end = static_cast<std::uint32_t>(pending_.size());
    frames_.push_back(
        {s, entered_, end, end, static_cast<std::uint32_t>(component_stack_.size()), false});
    component_stack_.push_back(s);
    return;
  }
  machine_.successors(state, list_);
  transitions_ += list_.transitions.size();
  const auto begin = static_cast<std::uint32_t>(pending_.size());
  const auto first = static_cast<std::uint32_t>(component_stack_.size());
  component_stack_.push_back(s);

  if (list_.here != simt::ending::none) {
    mark |= reaches_end;
    if (wants(verdict::barrier_divergence)) report(verdict::barrier_divergence);
  } else if (list_.transitions.empty() && machine_.is_complete(state)) {
    mark |= reaches_end;
    if (wants(verdict::assertion) && failed_check(state) != nullptr) report(verdict::assertion);
  }
  const std::size_t words = machine_.words();
  hashes_.clear();
  for (const simt::transition& t : list_.transitions) {
    const bool goes_on = t.ends == simt::ending::none && !t.stays;
    hashes_.push_back(goes_on ? table_.hash(list_.state(t, words)) : 0);
    if (goes_on) table_.prefetch_slot(hashes_.back());
  }
  for (const std::uint64_t hashed : hashes_) table_.prefetch_record(hashed);
  bool loops = false;
  bool leaves_alone = false;  // some lane's one transition does not stay
  for (std::size_t i = 0; i < list_.transitions.size(); ++i) {
    const simt::transition& t = list_.transitions[i];
    if (t.ends != simt::ending::none) {
      mark |= reaches_end;
      const verdict kind = t.ends == simt::ending::assertion    ? verdict::assertion
                           : t.ends == simt::ending::bad_access ? verdict::bad_access
                                                                : verdict::barrier_divergence;
      if (wants(kind)) report(kind);
      continue;
    }
    const state_id next = t.stays ? s : table_.intern(list_.state(t, words), hashes_[i]).id;
    if (next == s) {
      loops = true;
    } else {
      pending_.push_back(next);
      leaves_alone = leaves_alone || t.by.what == simt::choice::kind::lane;
    }
  }
  if (wants(verdict::race)) {
    if (list_.suspicious || (machine_.couples_steps() && machine_.may_race())) {
      look_for_races(state);
    } else if (machine_.couples_steps()) {
      skipped_races_ = true;
    }
  }
  // Under `its` a lane that leaves has no step that stays: a fair run cannot stay either.
  const bool unfair_to_a_lane =
      leaves_alone && !machine_.has_stacks() && options_.progress == simt::progress::fair;
  const bool stays = loops && !unfair_to_a_lane && (options_.check & bit(verdict::livelock)) != 0 &&
                     fair_self_loop(s);
  frames_.push_back({s, entered_, begin, begin, first, stays});
  depth_ = std::max<std::uint64_t>(depth_, frames_.size());
}

// All states of the component of `f` have been explored.
void explorer::close(const frame& f) {
  const std::span members(component_stack_.data() + f.first, component_stack_.size() - f.first);
  std::uint32_t all = 0;
  for (const state_id m : members) all |= table_.mark(m);
  all &= reaches_end | leaves;
  const std::uint32_t number = components_++;
  for (const state_id m : members) table_.mark(m) = closed | all | number;
  if ((all & reaches_end) == 0) {
    has_dead_states_ = true;
  } else if ((options_.check & bit(verdict::livelock)) != 0 &&
             livelocks_.size() < livelock_sample) {
    const bool stays = members.size() > 1 ? stays_for_ever(members) : f.fair_self_loop;
    if (stays) {
      report(verdict::livelock);
      livelocks_.push_back(number);
    }
  }
  component_stack_.resize(f.first);
}

bool explorer::stays_for_ever(std::span<const state_id> members) {
  if (options_.progress == simt::progress::unfair) return true;
  const std::uint32_t number = component(members.front());
  if (machine_.is_reduced()) {
    return quotient_is_fair(machine_, table_, members,
                            [&](state_id s) { return is_closed(s) && component(s) == number; });
  }
  fairness fair(machine_);
  for (const state_id m : members) {
    const simt::state_view state = table_[m];
    machine_.successors(state, inner_list_);
    fair.add(state, inner_list_, [&](const simt::transition& t) {
      const state_id next = table_.find(inner_list_.state(t, machine_.words()));
      return is_closed(next) && component(next) == number;
    });
  }
  return fair.holds();
}

// Whether some unit is enabled in `s` (whose steps are in list_), and all that it can do leads
// elsewhere.
bool explorer::leaves_only(state_id s) {
  if (list_.is_choice) return false;
  std::vector<char>& leaves = unit_flags_;
  leaves.assign(machine_.units(), 0);
  constexpr char elsewhere = 1;
  constexpr char here = 2;
  for (const simt::transition& t : list_.transitions) {
    if (t.by.what != simt::choice::kind::lane || t.ends != simt::ending::none) return false;
    const auto next = list_.state(t, machine_.words());
    const bool stays = t.stays || std::ranges::equal(next, table_[s]);
    if (stays && t.ahead) return false;  // others have moved, too
    char& flags = leaves[machine_.unit_of_lane(t.by.unit)];
    flags = static_cast<char>(flags | (stays ? here : elsewhere));
  }
  return std::ranges::find(leaves, elsewhere) != leaves.end();
}

bool explorer::fair_self_loop(state_id s) {
  if (options_.progress == simt::progress::unfair) return true;
  if (machine_.is_reduced()) {
    // Most often, some lane is enabled and its unit does nothing but leave: seen at once.
    if (leaves_only(s)) return false;
    return quotient_is_fair(machine_, table_, {&s, 1}, [&](state_id next) { return next == s; });
  }
  fairness fair(machine_);
  const simt::state_view state = table_[s];
  fair.add(state, list_, [&](const simt::transition& t) {
    const auto next = list_.state(t, machine_.words());
    return std::equal(next.begin(), next.end(), state.begin());
  });
  return fair.holds();
}

void explorer::look_for_races(simt::state_view state) {
  // What comes right after a step is looked at before lanes change places.
  const bool moved = machine_.couples_steps() && machine_.is_reduced();
  if (moved) machine_.distinct_steps(state, inner_list_);
  const simt::successor_list& list = moved ? inner_list_ : list_;
  const auto look = [&](bool at_all) {
    for (const simt::transition& t : list.transitions) {
      const bool plain = t.by.what == simt::choice::kind::lane && !machine_.couples_steps();
      if (plain && !at_all && !machine_.may_race(state[t.by.unit])) continue;
      if (!race_with(state, list, t).empty()) return true;
    }
    return false;
  };
  // Conflicts are symmetric: unless steps are coupled, one side of each pair will do, if the run
  // goes on behind it.
  one_sided_ = false;
  if (look(false) || (one_sided_ && look(true))) report(verdict::race);
}

bool explorer::has_race(state_id s) {
  machine_.distinct_steps(table_[s], race_list_);
  for (const simt::transition& t : race_list_.transitions) {
    if (!race_with(table_[s], race_list_, t).empty()) return true;
  }
  return false;
}

// All lanes are asked for the second access, those too whose steps are not listed because others
// look the same.
std::vector<simt::choice> explorer::race_with(simt::state_view state,
                                              const simt::successor_list& list,
                                              const simt::transition& first) {
  using kind = simt::choice::kind;
  if (first.by.what != kind::lane || first.ends != simt::ending::none) return {};
  const std::uint32_t a = first.by.unit;
  simt::successor_list then;
  if (machine_.traits(state[a]).what != simt::operation_traits::kind::access) return {};
  const auto conflicting = [&](simt::state_view at) -> std::optional<simt::choice> {
    for (const std::uint32_t b : accessing_) {
      if (b != a && machine_.conflict(a, state[a], b, at[b])) return simt::choice{kind::lane, b, 0};
    }
    return std::nullopt;
  };
  if (!machine_.couples_steps()) {
    // What is enabled before the step is so after it, unless the step ends the run.
    if (!machine_.accesses(state, accessing_)) return {};
    const auto second = conflicting(state);
    if (!second) return {};
    machine_.steps(list.state(first, machine_.words()), then);
    if (then.here == simt::ending::none) return {*second};
    one_sided_ = true;
    return {};
  }

  // The step may enable the other access, or disable it: look at what is enabled right after it,
  // past moves that take no step.
  struct moved {
    simt::state_words state;
    std::vector<simt::choice> by;
  };
  std::vector<moved> after;
  const auto words = list.state(first, machine_.words());
  after.push_back({{words.begin(), words.end()}, {}});
  while (!after.empty()) {
    moved next = std::move(after.back());
    after.pop_back();
    if (machine_.accesses(next.state, accessing_)) {
      const auto second = conflicting(next.state);
      if (!second) continue;
      machine_.steps(next.state, then);
      if (then.here != simt::ending::none) continue;
      next.by.push_back(*second);
      return next.by;
    }
    machine_.steps(next.state, then);
    for (const simt::transition& t : then.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto state_after = then.state(t, machine_.words());
      after.push_back({{state_after.begin(), state_after.end()}, next.by});
      after.back().by.push_back(t.by);
    }
  }
  return {};
}

const char* explorer::failed_check(simt::state_view s) {
  if (!options_.final_check) return nullptr;
  const std::uint32_t image = s[machine_.memory_word()];
  if (checked_images_.size() <= image) checked_images_.resize(image + 1, 0);
  if (checked_images_[image] == 1) return nullptr;
  const char* message = options_.final_check(machine_.image(s));
  checked_images_[image] = message == nullptr ? 1 : 2;
  if (message == nullptr) check_renamed(s);
  return message;
}

// The subject's check sees lanes by their names: it must find the same in all memories that this
// one stands for.
void explorer::check_renamed(simt::state_view s) {
  simt::renaming* const renames = machine_.renaming_of_lanes();
  if (depends_on_names_ || renames == nullptr || !renames->on()) return;
  std::vector<std::uint32_t> all;
  depends_on_names_ = !renames->images_of(s[machine_.memory_word()], most_renamed, all);
  simt::state_words renamed(s.begin(), s.end());
  for (const std::uint32_t image : all) {
    renamed[machine_.memory_word()] = image;
    depends_on_names_ =
        depends_on_names_ || options_.final_check(machine_.image(renamed)) != nullptr;
    if (checked_images_.size() <= image) checked_images_.resize(image + 1, 0);
    checked_images_[image] = 1;
  }
}

std::uint64_t explorer::bytes() const {
  return table_.memory() + frames_.capacity() * sizeof(frame) +
         (pending_.capacity() + component_stack_.capacity()) * 4 + machine_.memory();
}

bool explorer::out_of_bounds() {
  if (limits_.max_states && table_.size() >= *limits_.max_states) {
    stopped_ = fmt::format("the limit of {} states is reached", *limits_.max_states);
    peak_bytes_ = std::max(peak_bytes_, bytes());
    return true;
  }
  if (entered_ == number_bits) {
    stopped_ = "the search cannot number more states";
    return true;
  }
  if (entered_ % look_interval != 0) return false;
  const std::uint64_t used = bytes();
  peak_bytes_ = std::max(peak_bytes_, used);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  if (limits_.stop != nullptr && limits_.stop->load()) {
    stopped_ = "interrupted";
  } else if (limits_.max_memory && used > *limits_.max_memory) {
    stopped_ = fmt::format("the limit of {} MiB of memory is reached", *limits_.max_memory >> 20);
  } else if (limits_.time && elapsed.count() > *limits_.time) {
    stopped_ = fmt::format("the limit of {} s is reached", *limits_.time);
  }
  if (limits_.progress) limits_.progress({table_.size(), transitions_, depth_, used});
  return !stopped_.empty();
}

}  // namespace warpcheck
