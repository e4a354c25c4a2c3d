#include "checker/explore/counterexample.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>

#include "checker/explore/lasso.hpp"
#include "checker/explore/unfold.hpp"

namespace warpcheck {
namespace {

class breadth_first {
 public:
  breadth_first(explorer& explored, state_id root)
      : explored_(explored),
        machine_(explored.machine()),
        parent_(explored.states().size(), compressed_table::none),
        root_(root) {}

  /// Visits states in order of their distance; stops when `visit` returns true.
  template <class Visit>
  void run(Visit visit) {
    std::deque<state_id> queue{root_};
    parent_[root_] = root_;
    simt::successor_list list;
    compressed_table::cursor here;
    while (!queue.empty()) {
      const state_id s = queue.front();
      queue.pop_front();
      explored_.states().read(s, here);
      machine_.successors(here.words(), list);
      if (visit(s, here.words(), list)) return;
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none) continue;
        const state_id next = explored_.states().find(list.state(t, machine_.words()), here);
        // A search that stopped early does not know all successors.
        if (next == compressed_table::none || parent_[next] != compressed_table::none) continue;
        parent_[next] = s;
        queue.push_back(next);
      }
    }
  }

  /// How the machine comes to a state that `to` represents.
  [[nodiscard]] unfolded_path path(state_id to) {
    std::vector<state_id> reversed{to};
    while (reversed.back() != root_) reversed.push_back(parent_[reversed.back()]);
    std::ranges::reverse(reversed);
    return unfold(machine_, explored_.states(), reversed);
  }

 private:
  explorer& explored_;
  simt::machine& machine_;
  std::vector<state_id> parent_;
  state_id root_;
};

verdict verdict_of(simt::ending how) {
  switch (how) {
    case simt::ending::assertion: return verdict::assertion;
    case simt::ending::bad_access: return verdict::bad_access;
    case simt::ending::barrier_divergence: return verdict::barrier_divergence;
    case simt::ending::none: break;
  }
  throw std::logic_error("not an ending");
}

}  // namespace

std::vector<violation> counterexamples(explorer& explored, state_id root,
                                       const counterexample_request& request) {
  simt::machine& machine = explored.machine();
  breadth_first search(explored, root);
  std::map<verdict, violation> found;
  struct place {
    state_id state;
    bool final;  // for dead states: in a component that cannot be left
  };
  std::map<verdict, place> dead;
  verdict_set open = request.kinds;
  const auto wants = [&](verdict kind) { return (open & bit(kind)) != 0; };
  const auto settle = [&](violation v) {
    open = static_cast<verdict_set>(open & ~bit(v.kind));
    found.emplace(v.kind, std::move(v));
  };

  // What a step of the representative does, one of the state that it stands for does.
  const auto settle_ending = [&](state_id s, verdict kind) {
    auto [choices, state] = search.path(s);
    simt::successor_list list;
    machine.steps(state, list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends == simt::ending::none || verdict_of(t.ends) != kind) continue;
      choices.push_back(t.by);
      return settle({kind, {std::move(choices), {}}, list.why});
    }
  };
  // Steps that were taken ahead may come behind the state that diverges.
  const auto settle_divergence = [&](state_id s) {
    const std::vector<simt::choice> choices = search.path(s).choices;
    simt::state_words state = machine.initial();
    simt::successor_list list;
    violation v{verdict::barrier_divergence, {}, {}};
    for (std::size_t i = 0;; ++i) {
      machine.steps(state, list);
      if (list.here != simt::ending::none || i == choices.size()) break;
      v.how.prefix.push_back(choices[i]);
      const auto t = std::ranges::find(list.transitions, choices[i], &simt::transition::by);
      const auto words = list.state(*t, machine.words());
      state.assign(words.begin(), words.end());
    }
    v.detail = list.why;
    settle(std::move(v));
  };
  const auto settle_race = [&](state_id s) {
    auto [choices, state] = search.path(s);
    simt::successor_list list;
    machine.steps(state, list);
    for (const simt::transition& t : list.transitions) {
      const std::vector<simt::choice> second = explored.checks().race_with(state, list, t);
      if (!second.empty()) {
        choices.push_back(t.by);
        choices.insert(choices.end(), second.begin(), second.end());
        return settle({verdict::race, {std::move(choices), {}}, {}});
      }
    }
  };
  const auto settle_deadlock = [&](state_id s, verdict kind) {
    violation v{kind, {}, {}};
    unfolded_path way = search.path(s);
    v.how.prefix = std::move(way.choices);
    v.how.cycle = cycle_by_turns(machine, std::move(way.state), v.how.prefix);
    settle(std::move(v));
  };
  const auto settle_cycle = [&](state_id s, verdict kind, bool fair) {
    auto [choices, state] = search.path(s);
    std::vector<simt::choice> cycle = cycle_from(explored, state, fair);
    settle({kind, {std::move(choices), std::move(cycle)}, {}});
  };

  search.run([&](state_id s, simt::state_view state, const simt::successor_list& list) {
    if (list.here != simt::ending::none && wants(verdict::barrier_divergence)) {
      settle_divergence(s);
    }
    if (list.here == simt::ending::none && list.transitions.empty() && machine.is_complete(state) &&
        wants(verdict::assertion)) {
      if (const char* message = explored.checks().failed_check(state)) {
        settle({verdict::assertion, {search.path(s).choices, {}}, message});
      }
    }
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none && wants(verdict_of(t.ends))) {
        settle_ending(s, verdict_of(t.ends));
      }
    }
    if (wants(verdict::race) && explored.checks().has_race(state)) settle_race(s);
    if (!explored.is_closed(s)) return open == 0;
    if (!explored.can_end(s)) {
      const std::optional<verdict> known =
          request.dead_kind ? request.dead_kind(s) : std::optional(verdict::deadlock);
      if (known && wants(*known)) {
        const verdict kind = *known;
        const bool final = !explored.can_leave(s);
        const auto at = dead.emplace(kind, place{s, final}).first;
        if (final) {
          at->second = {s, true};
          settle_deadlock(s, kind);
        }
      }
    } else if (wants(verdict::livelock) && explored.can_stay(s)) {
      settle_cycle(s, verdict::livelock, explored.options().progress == simt::progress::fair);
    }
    return open == 0;
  });

  // Dead states of a kind none of which is final.
  for (const auto& [kind, at] : dead) {
    if (wants(kind)) settle_deadlock(at.state, kind);
  }
  std::vector<violation> result;
  for (auto& [kind, v] : found) result.push_back(std::move(v));
  return result;
}

}  // namespace warpcheck
