#include "checker/explore/counterexample.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/explore/fairness.hpp"

namespace warpcheck {
namespace {

/// Walks within one component of an explored graph.
class component_walk {
 public:
  component_walk(explorer& explored, std::uint32_t component)
      : explored_(explored), machine_(explored.machine()), component_(component) {}

  struct edge {
    simt::choice by;
    state_id next;
  };

  /// The steps of `s` that stay inside.
  const std::vector<edge>& edges(state_id s) {
    if (const auto at = edges_.find(s); at != edges_.end()) return at->second;
    machine_.successors(explored_.states()[s], list_);
    std::vector<edge> inside;
    for (const simt::transition& t : list_.transitions) {
      if (t.ends != simt::ending::none) continue;
      const state_id next = explored_.states().find(list_.state(t, machine_.words()));
      if (explored_.is_closed(next) && explored_.component(next) == component_) {
        inside.push_back({t.by, next});
      }
    }
    return edges_.emplace(s, std::move(inside)).first->second;
  }

  /// Appends a shortest walk from `from` whose last move satisfies `wanted`; its end. `none` if
  /// there is no such walk.
  template <class Wanted>
  state_id append_walk(state_id from, Wanted wanted, std::vector<simt::choice>& walk) {
    struct step {
      state_id previous;
      simt::choice by;
    };
    std::map<state_id, step> came_from;
    std::deque<state_id> queue{from};
    came_from.emplace(from, step{state_table::none, {}});
    while (!queue.empty()) {
      const state_id s = queue.front();
      queue.pop_front();
      const std::vector<edge> inside = edges(s);
      for (const edge& e : inside) {
        if (wanted(s, e)) {
          std::vector<simt::choice> reversed{e.by};
          for (state_id at = s; came_from.at(at).previous != state_table::none;
               at = came_from.at(at).previous) {
            reversed.push_back(came_from.at(at).by);
          }
          walk.insert(walk.end(), reversed.rbegin(), reversed.rend());
          return e.next;
        }
        if (came_from.emplace(e.next, step{s, e.by}).second) queue.push_back(e.next);
      }
    }
    return state_table::none;
  }

 private:
  explorer& explored_;
  simt::machine& machine_;
  std::uint32_t component_;
  simt::successor_list list_;
  boost::unordered_flat_map<state_id, std::vector<edge>> edges_;
};

/// A cycle from `start` within its component. With `fair`, one that serves every unit that the
/// component serves; otherwise a shortest one.
std::vector<simt::choice> cycle_from(explorer& explored, state_id start, bool fair) {
  simt::machine& machine = explored.machine();
  component_walk walk(explored, explored.component(start));
  std::vector<simt::choice> cycle;
  state_id at = start;
  if (fair) {
    // Units are served by a step, or by a state in which they are not enabled.
    for (std::uint32_t unit = 0; unit < machine.units(); ++unit) {
      const auto steps = [&](const simt::choice& by, simt::state_view state) {
        bool moves = false;
        machine.for_each_lane(by, state, [&](std::uint32_t lane) {
          moves = moves || machine.unit_of_lane(lane) == unit;
        });
        return moves;
      };
      state_id from = start;
      bool already = false;
      for (const simt::choice& c : cycle) {
        already = already || steps(c, explored.states()[from]);
        const auto& inside = walk.edges(from);
        from = std::ranges::find(inside, c, &component_walk::edge::by)->next;
      }
      if (already) continue;
      const state_id next = walk.append_walk(
          at,
          [&](state_id s, const component_walk::edge& e) {
            return steps(e.by, explored.states()[s]);
          },
          cycle);
      if (next != state_table::none) {
        at = next;
        continue;
      }
      // It takes no step inside: pass a state in which it is not enabled (the component is fair).
      simt::successor_list list;
      const auto disabled = [&](state_id s) {
        machine.successors(explored.states()[s], list);
        fairness alone(machine);
        alone.add(explored.states()[s], list, [](const simt::transition&) { return false; });
        return !list.is_choice && alone.serves(unit);
      };
      if (disabled(at)) continue;
      const state_id passed = walk.append_walk(
          at, [&](state_id, const component_walk::edge& e) { return disabled(e.next); }, cycle);
      if (passed != state_table::none) at = passed;
    }
  }
  if (at != start || cycle.empty()) {
    walk.append_walk(
        at, [&](state_id, const component_walk::edge& e) { return e.next == start; }, cycle);
  }
  return cycle;
}

class breadth_first {
 public:
  breadth_first(explorer& explored, state_id root)
      : explored_(explored),
        machine_(explored.machine()),
        parent_(explored.states().size(), state_table::none),
        root_(root) {}

  /// Visits states in order of their distance; stops when `visit` returns true.
  template <class Visit>
  void run(Visit visit) {
    std::deque<state_id> queue{root_};
    parent_[root_] = root_;
    simt::successor_list list;
    while (!queue.empty()) {
      const state_id s = queue.front();
      queue.pop_front();
      const simt::state_view state = explored_.states()[s];
      machine_.successors(state, list);
      if (visit(s, list)) return;
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none) continue;
        const state_id next = explored_.states().find(list.state(t, machine_.words()));
        // A search that stopped early does not know all successors.
        if (next == state_table::none || parent_[next] != state_table::none) continue;
        parent_[next] = s;
        queue.push_back(next);
      }
    }
  }

  [[nodiscard]] std::vector<simt::choice> path(state_id to) {
    std::vector<simt::choice> reversed;
    simt::successor_list list;
    for (state_id s = to; s != root_; s = parent_[s]) {
      machine_.successors(explored_.states()[parent_[s]], list);
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none) continue;
        if (explored_.states().find(list.state(t, machine_.words())) != s) continue;
        reversed.push_back(t.by);
        break;
      }
    }
    return {reversed.rbegin(), reversed.rend()};
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

  search.run([&](state_id s, const simt::successor_list& list) {
    const simt::state_view state = explored.states()[s];
    if (list.here != simt::ending::none && wants(verdict::barrier_divergence)) {
      settle({verdict::barrier_divergence, {search.path(s), {}}, list.why});
    }
    if (list.here == simt::ending::none && list.transitions.empty() && machine.is_complete(state) &&
        wants(verdict::assertion)) {
      if (const char* message = explored.failed_check(state)) {
        settle({verdict::assertion, {search.path(s), {}}, message});
      }
    }
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none && wants(verdict_of(t.ends))) {
        violation v{verdict_of(t.ends), {search.path(s), {}}, list.why};
        v.how.prefix.push_back(t.by);
        settle(std::move(v));
      }
      if (wants(verdict::race)) {
        if (const auto second = explored.race_with(state, list, t)) {
          violation v{verdict::race, {search.path(s), {}}, {}};
          v.how.prefix.push_back(t.by);
          v.how.prefix.push_back(*second);
          settle(std::move(v));
        }
      }
    }
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
          settle({kind, {search.path(s), cycle_from(explored, s, true)}, {}});
        }
      }
    } else if (wants(verdict::livelock) &&
               std::ranges::find(explored.livelocks(), explored.component(s)) !=
                   explored.livelocks().end()) {
      const bool fair = explored.options().progress == simt::progress::fair;
      settle({verdict::livelock, {search.path(s), cycle_from(explored, s, fair)}, {}});
    }
    return open == 0;
  });

  // Dead states of a kind none of which is final: show how the nearest one is reached.
  for (const auto& [kind, at] : dead) {
    if (wants(kind)) settle({kind, {search.path(at.state), {}}, {}});
  }
  std::vector<violation> result;
  for (auto& [kind, v] : found) result.push_back(std::move(v));
  return result;
}

}  // namespace warpcheck
