// Searches breadth first over states of the machine, each with what lanes have read in their
// present operations.
#include "checker/explore/aba_search.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/explore/asked_in_time.hpp"
#include "checker/run/place.hpp"
#include "sim/lane/lane_runner.hpp"
#include "sim/lane/operation_table.hpp"
#include "sim/machine/walk/coherence_step.hpp"
#include "sim/monitor/words.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;
using simt::detail::memory_kind;

/// Where an access goes: offset in the image, and size.
using spot = std::pair<std::uint32_t, std::uint8_t>;

/// What a lane has read or stored at a spot in its present operation.
struct look {
  std::uint32_t lane;
  spot at;
  std::uint64_t value;
  bool changed = false;  // whether any lane has stored another value since then
  // Under weak memory: the store that was read, as a group counted from the newest. `forgotten`:
  // the store is older than all that are left. Then `changed` says whether a store that came
  // between had another value and has been forgotten, too.
  std::uint32_t group = 0;
  static constexpr std::uint32_t forgotten = 0xffffffff;
  friend auto operator<=>(const look&, const look&) = default;
};
using looks = std::vector<look>;  // sorted

class aba_search {
 public:
  aba_search(session& run, const limits& bounds)
      : machine_(run.machine()), bounds_(bounds), start_(clock::now()) {}

  aba_search_result run() {
    for (;;) {
      machine_.begin_again();
      has_new_spot_ = false;
      unless_void(machine_, [&] { explore(); });
      // Under weak memory, news means that the search begins again with what was learnt.
      if (!has_new_spot_ && !machine_.has_news()) break;
      result_.found.reset();
      result_.stopped = {};
      states_.clear();
      order_.clear();
    }
    result_.states = states_.size();
    result_.complete = result_.stopped.empty();
    result_.seconds = std::chrono::duration<double>(clock::now() - start_).count();
    return std::move(result_);
  }

 private:
  using clock = std::chrono::steady_clock;
  // A state's words, and one word for the looks. `seen` in place of looks: the compare-exchange has
  // been found, and some lane has yet to keep a promise.
  using key = std::vector<std::uint32_t>;
  static constexpr std::uint32_t seen = 0xffffffff;
  static constexpr std::uint32_t look_interval = 1024;  // states between two looks at the limits
  static constexpr std::uint32_t weak_look_interval = 32;

  simt::machine& machine_;
  const limits& bounds_;
  clock::time_point start_;
  std::set<spot> spots_;  // spots of compare-exchanges
  // Looks at some spot were not kept so far, so the search begins again.
  bool has_new_spot_ = false;
  simt::words_of<looks> looks_;
  boost::unordered_flat_set<key, boost::hash<key>> states_;
  struct visited {
    key state;
    std::uint32_t before;
    simt::choice by;
  };
  std::deque<visited> order_;  // by number; holds copies of the keys, since the table moves its own
  simt::successor_list list_;
  aba_search_result result_;

  void explore() {
    const simt::state_words first = machine_.initial();
    key root(first.begin(), first.end());
    root.push_back(looks_.intern({}));
    add(std::move(root), 0, {});
    for (std::uint32_t number = 0; number < order_.size(); ++number) {
      if (bounds_.max_states && states_.size() >= *bounds_.max_states) {
        result_.stopped = limits::reached_states(*bounds_.max_states);
        return;
      }
      const bool is_weak = !machine_.traits_of_memory().is_image;
      if (number % (is_weak ? weak_look_interval : look_interval) == 0 && must_stop()) return;
      const key here = order_[number].state;
      const simt::state_view state(here.data(), here.size() - 1);
      if (here.back() == seen && !machine_.has_promises(state)) {
        result_.found = way_to(number);
        return;
      }
      machine_.steps(state, list_);
      if (machine_.has_news()) return;
      for (const simt::transition& t : list_.transitions) {
        if (has_new_spot_) return;
        if (t.ends != simt::ending::none) continue;
        if (is_weak) {
          add_weak(here, t, number);
          continue;
        }
        looks now = looks_[here.back()];
        if (t.by.what == simt::choice::kind::lane && take_in(state, t.by.unit, now)) {
          result_.found = way_to(number);
          result_.found->prefix.push_back(t.by);
          return;
        }
        const auto words = list_.state(t, machine_.words());
        forget_exited(now, words);
        key next(words.begin(), words.end());
        next.push_back(looks_.intern(std::move(now)));
        add(std::move(next), number, t.by);
      }
    }
  }

  /// Keeps looks at this spot from the next beginning on. Returns whether the spot is new.
  bool keeps_looks_at(const spot& at) {
    const bool is_new = spots_.insert(at).second;
    has_new_spot_ = has_new_spot_ || is_new;
    return is_new;
  }

  void add(key state, std::uint32_t before, const simt::choice& by) {
    if (!states_.insert(state).second) return;
    order_.push_back({std::move(state), before, by});
  }

  static void forget(looks& now, std::uint32_t lane) {
    std::erase_if(now, [lane](const look& l) { return l.lane == lane; });
  }

  void forget_exited(looks& now, simt::state_view state) const {
    std::erase_if(now, [&](const look& l) { return state[l.lane] == simt::exited; });
  }

  // Under weak memory.

  void add_weak(const key& here, const simt::transition& t, std::uint32_t number) {
    const simt::state_view state(here.data(), here.size() - 1);
    const auto words = list_.state(t, machine_.words());
    key next(words.begin(), words.end());
    if (here.back() == seen) {
      next.push_back(seen);
      return add(std::move(next), number, t.by);
    }
    looks now = looks_[here.back()];
    if (take_in_weakly(state, t.by, words, now)) {
      next.push_back(seen);
    } else {
      forget_exited(now, words);
      std::ranges::sort(now);
      next.push_back(looks_.intern(std::move(now)));
    }
    add(std::move(next), number, t.by);
  }

  /// Like take_in(), under weak memory: choice `by` leads from `state` to `after`.
  bool take_in_weakly(simt::state_view state, const simt::choice& by, simt::state_view after,
                      looks& now) {
    const auto step = coherence_step_of(machine_, state, by);
    const simt::operation op =
        by.what == simt::choice::kind::lane ? machine_.waits_at(state, by.unit) : simt::operation{};
    if (is_event(op.kind)) {
      forget(now, by.unit);
    }
    const bool accesses = step && by.what == simt::choice::kind::lane;
    const bool exchanges = accesses && op.memory == memory_kind::compare_exchange;
    const spot at = step ? spot{step->offset, step->size} : spot{};
    if (exchanges && keeps_looks_at(at)) return false;
    for (look& l : now) {
      std::vector<std::uint64_t> values = group_values(machine_, state, l.at.first, l.at.second);
      const bool is_here = step && l.at == at;
      const bool is_own = accesses && is_here && l.lane == by.unit;
      if (is_own && exchanges && simt::apply(op, step->old) != step->old && l.value == step->old &&
          is_changed(l, values, step->behind)) {
        return true;
      }
      if (is_here && step->makes) {
        values.insert(values.begin() + static_cast<std::ptrdiff_t>(step->behind), step->value);
        if (l.group != look::forgotten && l.group >= step->behind) ++l.group;
      }
      const std::size_t left = group_values(machine_, after, l.at.first, l.at.second).size();
      for (std::size_t g = left; g < std::min<std::size_t>(l.group, values.size()); ++g) {
        l.changed = l.changed || values[g] != l.value;
      }
      if (l.group >= left) l.group = look::forgotten;
    }
    if (!accesses || op.memory == memory_kind::store || !spots_.contains(at)) return false;
    std::erase_if(now, [&](const look& l) { return l.lane == by.unit && l.at == at; });
    look own{by.unit, at, simt::apply(op, step->old)};
    own.group = static_cast<std::uint32_t>(step->result);
    now.push_back(own);
    return false;
  }

  /// Whether a store of another value lies between the look and group `source`, in coherence order.
  static bool is_changed(const look& l, const std::vector<std::uint64_t>& values,
                         std::size_t source) {
    if (l.group != look::forgotten && l.group <= source) return false;
    bool changed = l.changed;
    for (std::size_t g = source + 1; g < std::min<std::size_t>(l.group, values.size()); ++g) {
      changed = changed || values[g] != l.value;
    }
    return changed;
  }

  /// Updates the looks by the step of `lane` in `state`. Returns whether the step is a
  /// compare-exchange that shows ABA.
  bool take_in(simt::state_view state, std::uint32_t lane, looks& now) {
    const simt::operation op = machine_.waits_at(state, lane);
    if (is_event(op.kind)) {
      forget(now, lane);
      return false;
    }
    const simt::operation_traits traits = machine_.lanes().traits(state[lane]);
    if (traits.what != simt::operation_traits::kind::access) return false;
    const spot at{traits.offset, traits.size};
    if (op.memory == memory_kind::compare_exchange && keeps_looks_at(at)) return false;
    if (!spots_.contains(at)) return false;
    std::uint64_t old = 0;
    std::memcpy(&old, machine_.image(state).data() + traits.offset, traits.size);
    const std::uint64_t fresh = simt::apply(op, old);
    const auto own =
        std::ranges::find_if(now, [&](const look& l) { return l.lane == lane && l.at == at; });
    if (op.memory == memory_kind::compare_exchange && fresh != old && own != now.end() &&
        own->changed && own->value == old) {
      return true;
    }
    if (fresh != old) {
      for (look& l : now) l.changed = l.changed || l.at == at;
    }
    if (op.memory != memory_kind::store) {
      if (own != now.end()) now.erase(own);
      now.push_back({lane, at, fresh, false});
    }
    std::ranges::sort(now);
    return false;
  }

  [[nodiscard]] execution way_to(std::uint32_t number) const {
    execution how;
    for (; number != 0; number = order_[number].before) how.prefix.push_back(order_[number].by);
    std::ranges::reverse(how.prefix);
    return how;
  }

  bool must_stop() {
    const std::uint64_t states =
        states_.size() * (2 * sizeof(std::uint32_t) * (machine_.words() + 1) + 160);
    result_.stopped =
        bounds_.reached(states + (machine_.traits_of_memory().is_image ? 0 : machine_.memory()));
    return !result_.stopped.empty();
  }
};

}  // namespace

aba_search_result search_aba(session& run, const limits& bounds) {
  const asked_in_time patience(run.stores().program, bounds);
  aba_search search(run, bounds);
  try {
    const simt::facts_are_learnt learning(run.facts());
    return search.run();
  } catch (const simt::lane_automaton::given_up&) {
    aba_search_result result;
    result.stopped = bounds.reached(0);
    return result;
  } catch (const simt::lane_runaway& runaway) {
    aba_search_result result;
    result.stopped = {reason_of(runaway), text_of(run, runaway)};
    return result;
  } catch (const simt::lane_error& error) {
    throw misuse(run, error);
  }
}

}  // namespace warpcheck
