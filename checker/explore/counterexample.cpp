// Finds the nearest state for each violation and turns the shortest way to it into an execution of
// the machine.
#include "checker/explore/counterexample.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "checker/explore/lasso.hpp"
#include "checker/explore/unfold.hpp"
#include "checker/run/ending.hpp"
#include "checker/run/object.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

// Computes distances of states from the root, and shortest ways to states of a given distance.
//
// Numbers of states and of continuations depend on the order in which threads met them, but
// distances do not. So of all shortest ways, this class takes the first one in the order of the
// machine's own steps. The result does not depend on how the graph was explored.
class shortest_ways {
 public:
  shortest_ways(explorer& explored, state_id root)
      : explored_(explored),
        machine_(explored.machine()),
        distance_(explored.states().size(), unknown),
        root_(root) {}

  /// Visits states in order of their distance; stops when `visit` returns true.
  template <class Visit>
  void run(Visit visit) {
    std::deque<state_id> queue{root_};
    distance_[root_] = 0;
    while (!queue.empty()) {
      const state_id s = queue.front();
      queue.pop_front();
      // A stopped search knows no successors of states that it has not entered.
      if (!explored_.complete() && !explored_.is_entered(s)) continue;
      explored_.states().read(s, here_);
      machine_.successors(here_.words(), list_);
      if (machine_.has_news() || visit(s, distance_[s])) return;
      for (const simt::transition& t : list_.transitions) {
        if (t.ends != simt::ending::none) continue;
        const state_id next = find(list_.state(t, machine_.words()));
        // A search that stopped does not know all successors.
        if (next == compressed_table::none || distance_[next] != unknown) continue;
        distance_[next] = distance_[s] + 1;
        queue.push_back(next);
      }
    }
  }

  void look_at(state_id s) {
    explored_.states().read(s, here_);
    machine_.successors(here_.words(), list_);
  }

  /// The successors of the state that is visited, or was last looked at.
  [[nodiscard]] simt::state_view state() const { return here_.words(); }
  [[nodiscard]] const simt::successor_list& successors() const { return list_; }

  /// Finds a way of the machine to a state whose representative `s` has this `distance` and
  /// satisfies `wanted(s)`. Such an `s` must exist. Returns nothing if `accepts` refuses all ways
  /// that were tried, or if the way is lost().
  template <class Wanted, class Accepts>
  std::optional<unfolded_path> way(std::uint32_t distance, Wanted wanted, Accepts accepts) {
    const auto reached = [&](state_id s) {
      look_at(s);
      return wanted(s);
    };
    std::uint64_t tried = 0;
    if (auto direct = machine_way(distance, reached, accepts, tried)) return direct;
    if (tried != 0) return std::nullopt;
    std::optional<unfolded_path> path =
        unfold(machine_, explored_.states(), graph_way(distance, reached));
    lost_ = !path;
    if (!path || !accepts(*path)) return std::nullopt;
    return path;
  }
  /// Whether the machine could not follow the path that the graph shows.
  [[nodiscard]] bool lost() const { return lost_; }

 private:
  static constexpr std::uint32_t unknown = 0xffffffff;
  static constexpr std::uint64_t most_tries = 1'000;  // refused ways, at most

  explorer& explored_;
  simt::machine& machine_;
  std::vector<std::uint32_t> distance_;
  state_id root_;
  bool lost_ = false;
  compressed_table::cursor here_;
  simt::successor_list list_;

  state_id find(simt::state_view state) { return explored_.states().find(state, here_); }

  /// Searches the machine's states depth first, from one distance to the next. Returns nothing if
  /// the machine cannot follow the graph step by step: a stopped round does not know for good which
  /// steps may run ahead. `tried` counts the ways tried.
  template <class Reached, class Accepts>
  std::optional<unfolded_path> machine_way(std::uint32_t distance, Reached reached, Accepts accepts,
                                           std::uint64_t& tried) {
    struct place {
      simt::state_words state;
      state_id representative;
      std::size_t next = 0;     // transition to look at
      std::size_t choices = 0;  // made before this state
      bool leads_there = false;
    };
    std::vector<char> without(distance_.size(), 0);  // representatives from which no way leads on
    const auto leave = [&](std::vector<place>& path) {
      const place& top = path.back();
      if (!top.leads_there) without[top.representative] = 1;
      if (path.size() > 1 && top.leads_there) path[path.size() - 2].leads_there = true;
      path.pop_back();
    };
    std::vector<simt::choice> choices;
    simt::state_words first = machine_.initial();
    machine_.run_ahead(first, &choices);
    std::vector<place> path;
    path.push_back({std::move(first), root_, 0, choices.size(), false});
    simt::successor_list list;
    simt::state_words after, representative;
    std::vector<simt::choice> made;
    explored_.states().read(root_, here_);
    while (!path.empty()) {
      place& top = path.back();
      const auto depth = static_cast<std::uint32_t>(path.size() - 1);
      if (depth == distance) {
        if (reached(top.representative)) {
          unfolded_path path_there{choices, top.state};
          if (accepts(path_there)) return path_there;
          if (++tried == most_tries) return std::nullopt;
          top.leads_there = true;
        }
        leave(path);
        continue;
      }
      choices.resize(top.choices);
      machine_.steps(top.state, list);
      bool deeper = false;
      while (!deeper && top.next < list.transitions.size()) {
        const simt::transition& t = list.transitions[top.next++];
        if (t.ends != simt::ending::none) continue;
        const auto words = list.state(t, machine_.words());
        after.assign(words.begin(), words.end());
        made.assign(1, t.by);
        machine_.run_ahead(after, &made);
        representative = after;
        machine_.change_places(representative);
        const state_id s = find(representative);
        deeper = s != compressed_table::none && distance_[s] == depth + 1 && without[s] == 0;
        if (!deeper) continue;
        choices.insert(choices.end(), made.begin(), made.end());
        path.push_back({after, s, 0, choices.size(), false});
      }
      if (!deeper) leave(path);
    }
    return std::nullopt;
  }

  /// Searches the representatives depth first, from one distance to the next. Returns the numbers
  /// of the states on the path.
  template <class Reached>
  std::vector<state_id> graph_way(std::uint32_t distance, Reached reached) {
    struct place {
      state_id state;
      std::size_t next = 0;
    };
    std::vector<char> without(distance_.size(), 0);
    std::vector<place> path{{root_, 0}};
    simt::successor_list list;
    while (!path.empty()) {
      place& top = path.back();
      if (path.size() - 1 == distance) {
        if (reached(top.state)) {
          std::vector<state_id> result;
          for (const place& p : path) result.push_back(p.state);
          return result;
        }
        without[top.state] = 1;
        path.pop_back();
        continue;
      }
      explored_.states().read(top.state, here_);
      machine_.successors(here_.words(), list);
      bool deeper = false;
      while (!deeper && top.next < list.transitions.size()) {
        const simt::transition& t = list.transitions[top.next++];
        if (t.ends != simt::ending::none) continue;
        const state_id s = find(list.state(t, machine_.words()));
        deeper = s != compressed_table::none && distance_[s] == path.size() && without[s] == 0;
        if (deeper) path.push_back({s, 0});
      }
      if (deeper) continue;
      without[top.state] = 1;
      path.pop_back();
    }
    throw std::logic_error("there is no way to a state that was reached");
  }
};

}  // namespace

bool counterexamples(explorer& explored, state_id root, const counterexample_request& request,
                     std::vector<violation>& result) {
  simt::machine& machine = explored.machine();
  shortest_ways ways(explored, root);

  // Whether state `s` shows a violation; ways.state() and ways.successors() are of this state.
  const auto shows = [&](verdict kind, state_id s) {
    const simt::successor_list& list = ways.successors();
    const auto ends_so = [&](const simt::transition& t) {
      return t.ends != simt::ending::none && verdict_of(t.ends) == kind;
    };
    switch (kind) {
      case verdict::race:
        return machine.traits_of_memory().ends_at_races
                   ? std::ranges::any_of(list.transitions, ends_so)
                   : explored.checks().has_race(ways.state());
      case verdict::livelock:
        return explored.is_closed(s) && explored.can_end(s) && explored.can_stay(s);
      case verdict::deadlock:
      case verdict::simt_deadlock:
        return explored.is_closed(s) && !explored.can_end(s) &&
               !machine.has_promises(ways.state()) &&
               (request.dead_kind ? request.dead_kind(s) : std::optional(verdict::deadlock)) ==
                   kind;
      case verdict::barrier_divergence:
        return list.here != simt::ending::none || std::ranges::any_of(list.transitions, ends_so);
      case verdict::assertion:
        if (list.here == simt::ending::none && list.transitions.empty() &&
            machine.is_complete(ways.state()) &&
            explored.checks().failed_check(ways.state()) != nullptr) {
          return true;
        }
        return std::ranges::any_of(list.transitions, ends_so);
      case verdict::not_linearizable:
      case verdict::not_sequentially_consistent:
      case verdict::not_quiescently_consistent:
      case verdict::not_strictly_serializable:
      case verdict::not_opaque:
      case verdict::wrong_linearization_point:
        return (verdicts_of(machine.broken(ways.state())) & bit(kind)) != 0;
      default: return std::ranges::any_of(list.transitions, ends_so);
    }
  };

  // The nearest state for each kind of violation. For deadlocks, a state whose component cannot be
  // left wins over a nearer one.
  struct nearest {
    std::uint32_t distance;
    bool final;
  };
  std::map<verdict, nearest> found;
  verdict_set open = request.on_first_ways ? verdict_set{0} : request.kinds;
  ways.run([&](state_id s, std::uint32_t distance) {
    for (unsigned v = 0; v < verdicts_in_search; ++v) {
      const auto kind = static_cast<verdict>(v);
      if ((open & bit(kind)) == 0 || !shows(kind, s)) continue;
      const bool final = (deadlocks & bit(kind)) == 0 || !explored.can_leave(s);
      if (final) {
        found.insert_or_assign(kind, nearest{distance, true});
        open = static_cast<verdict_set>(open & ~bit(kind));
      } else {
        found.try_emplace(kind, nearest{distance, false});
      }
    }
    return open == 0;
  });

  simt::successor_list list;
  // Each step of a representative has a counterpart among the steps of the state that it
  // represents.
  const auto add_ending = [&](violation& v, simt::state_view state) {
    machine.steps(state, list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends == simt::ending::none || verdict_of(t.ends) != v.kind) continue;
      v.how.prefix.push_back(t.by);
      v.detail = list.why;
      return;
    }
    if (v.kind != verdict::assertion) return;
    if (const char* message = explored.checks().failed_check(state)) v.detail = message;
  };
  // Steps that were taken ahead may come after the state that diverges.
  const auto end_at_divergence = [&](violation& v) {
    const std::vector<simt::choice> choices = std::move(v.how.prefix);
    v.how.prefix.clear();
    simt::replay run(machine);
    for (const simt::choice& by : choices) {
      const simt::transition* const t = run.find(by);
      if (machine.has_news()) return;
      if (run.list().here != simt::ending::none) {
        v.detail = run.list().why;
        return;
      }
      if (t == nullptr) throw std::logic_error("a choice of a counterexample cannot be made");
      v.how.prefix.push_back(by);
      if (t->ends != simt::ending::none) {
        v.detail = run.list().why;
        return;
      }
      run.take(*t);
    }
    machine.steps(run.state(), list);
    if (list.here == simt::ending::none) return add_ending(v, run.state());
    v.detail = list.why;
  };
  // Steps that were taken ahead may come after the return that no order explains.
  const auto end_at_return = [&](violation& v) {
    simt::replay run(machine);
    std::size_t taken = 0;
    for (; taken < v.how.prefix.size(); ++taken) {
      if ((verdicts_of(machine.broken(run.state())) & bit(v.kind)) != 0) break;
      if (!run.follow(v.how.prefix[taken])) return;
    }
    v.how.prefix.resize(taken);
  };
  const auto add_race = [&](violation& v, simt::state_view state) {
    machine.steps(state, list);
    for (const simt::transition& t : list.transitions) {
      const std::vector<simt::choice> second = explored.checks().race_with(state, list, t);
      if (second.empty()) continue;
      v.how.prefix.push_back(t.by);
      v.how.prefix.insert(v.how.prefix.end(), second.begin(), second.end());
      return;
    }
  };

  const auto violation_at = [&](verdict kind, const unfolded_path& there) {
    violation v{kind, {there.choices, {}}, {}};
    switch (kind) {
      case verdict::race:
        machine.traits_of_memory().ends_at_races ? add_ending(v, there.state)
                                                 : add_race(v, there.state);
        break;
      case verdict::livelock: v.how.cycle = cycle_from(explored, there.state); break;
      case verdict::deadlock:
      case verdict::simt_deadlock:
        v.how.cycle = cycle_by_turns(machine, there.state, v.how.prefix);
        break;
      case verdict::barrier_divergence: end_at_divergence(v); break;
      case verdict::not_linearizable:
      case verdict::not_sequentially_consistent:
      case verdict::not_quiescently_consistent:
      case verdict::not_strictly_serializable:
      case verdict::not_opaque:
      case verdict::wrong_linearization_point: end_at_return(v); break;
      default: add_ending(v, there.state); break;
    }
    return v;
  };

  if (request.on_first_ways) {
    for (const auto& [kind, way] : explored.first_ways()) {
      if ((request.kinds & bit(kind)) == 0 || way.front() != root) continue;
      ways.look_at(way.back());
      if (machine.has_news() || !shows(kind, way.back())) continue;
      const auto there = unfold(machine, explored.states(), way);
      if (!there || machine.has_news()) continue;
      violation v = violation_at(kind, *there);
      if (!request.may_be_shown || request.may_be_shown(v.how)) result.push_back(std::move(v));
    }
    return true;
  }
  for (const auto& [kind, at] : found) {
    if (machine.has_news()) return true;
    std::optional<violation> v;
    ways.way(
        at.distance,
        [&, kind = kind, at = at](state_id s) {
          const bool final = (deadlocks & bit(kind)) == 0 || !explored.can_leave(s);
          return (final || !at.final) && shows(kind, s);
        },
        [&, kind = kind](const unfolded_path& there) {
          v = violation_at(kind, there);
          if (request.may_be_shown && !request.may_be_shown(v->how)) v.reset();
          return v.has_value();
        });
    if (ways.lost()) return false;
    if (v) result.push_back(std::move(*v));
  }
  return true;
}

}  // namespace warpcheck
