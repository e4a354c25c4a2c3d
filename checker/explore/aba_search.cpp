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

#include "checker/report/place.hpp"
#include "sim/lane/lane_runner.hpp"
#include "sim/monitor/words.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;
using simt::detail::memory_kind;

/// Where an access goes: offset in the image, and size.
using spot = std::pair<std::uint32_t, std::uint8_t>;

/// What a lane has seen at a spot in its present operation.
struct look {
  std::uint32_t lane;
  spot at;
  std::uint64_t value;
  bool changed = false;  // since then, by whomever
  friend auto operator<=>(const look&, const look&) = default;
};
using looks = std::vector<look>;  // sorted

/// Somebody compares and exchanges at a spot where looks were not kept so far.
struct new_spot {};

class aba_search {
 public:
  aba_search(session& run, const limits& bounds)
      : machine_(run.machine()), bounds_(bounds), start_(clock::now()) {}

  aba_search_result run() {
    for (;;) {
      try {
        explore();
        break;
      } catch (const new_spot&) {
        states_.clear();
        order_.clear();
      }
    }
    result_.states = states_.size();
    result_.complete = result_.stopped.empty();
    result_.seconds = std::chrono::duration<double>(clock::now() - start_).count();
    return std::move(result_);
  }

 private:
  using clock = std::chrono::steady_clock;
  using key = std::vector<std::uint32_t>;  // a state's words, and one for the looks

  simt::machine& machine_;
  const limits& bounds_;
  clock::time_point start_;
  std::set<spot> spots_;  // of compare-exchanges
  simt::words_of<looks> looks_;
  boost::unordered_flat_set<key, boost::hash<key>> states_;
  struct visited {
    key state;
    std::uint32_t before;
    simt::choice by;
  };
  std::deque<visited> order_;  // by number; the keys again, since the table moves its own
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
      if (number % 1024 == 0 && must_stop()) return;
      const key here = order_[number].state;
      const simt::state_view state(here.data(), here.size() - 1);
      machine_.steps(state, list_);
      for (const simt::transition& t : list_.transitions) {
        if (t.ends != simt::ending::none) continue;
        looks now = looks_[here.back()];
        if (t.by.what == simt::choice::kind::lane && take_in(state, t.by.unit, now)) {
          result_.found = way_to(number);
          result_.found->prefix.push_back(t.by);
          return;
        }
        const auto words = list_.state(t, machine_.words());
        for (std::uint32_t lane = 0; lane < machine_.places().lanes.size(); ++lane) {
          if (words[lane] == simt::exited && state[lane] != simt::exited) forget(now, lane);
        }
        key next(words.begin(), words.end());
        next.push_back(looks_.intern(std::move(now)));
        add(std::move(next), number, t.by);
      }
    }
  }

  void add(key state, std::uint32_t before, const simt::choice& by) {
    if (!states_.insert(state).second) return;
    order_.push_back({std::move(state), before, by});
  }

  static void forget(looks& now, std::uint32_t lane) {
    std::erase_if(now, [lane](const look& l) { return l.lane == lane; });
  }

  /// The step of `lane` in `state`; true: its compare-exchange is what is looked for.
  bool take_in(simt::state_view state, std::uint32_t lane, looks& now) {
    const simt::operation op = machine_.waits_at(state, lane);
    if (op.kind == operation_kind::called || op.kind == operation_kind::returned) {
      forget(now, lane);
      return false;
    }
    const simt::operation_traits traits = machine_.traits(state[lane]);
    if (traits.what != simt::operation_traits::kind::access) return false;
    const spot at{traits.offset, traits.size};
    if (op.memory == memory_kind::compare_exchange && spots_.insert(at).second) throw new_spot{};
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
    result_.stopped = bounds_.reached(states_.size() *
                                      (2 * sizeof(std::uint32_t) * (machine_.words() + 1) + 160));
    return !result_.stopped.empty();
  }
};

}  // namespace

aba_search_result search_aba(session& run, const limits& bounds) {
  try {
    return aba_search(run, bounds).run();
  } catch (const simt::lane_error& error) {
    throw misuse(run, error);
  }
}

}  // namespace warpcheck
