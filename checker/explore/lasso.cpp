// Builds the cycle of a lasso: walks inside one component that serve every unit, or turns of all
// units until a state comes again.
#include "checker/explore/lasso.hpp"

#include <algorithm>
#include <bit>
#include <queue>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/liveness/fairness.hpp"
#include "checker/states/machine_shape.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

// States that one search for a walk may visit: first breadth first, then guided.
constexpr std::size_t breadth_first_states = 20'000;
constexpr std::size_t guided_states = 200'000;
// Rounds of a cycle after which dead values must have repeated.
constexpr int lap_limit = 16;
// Limits of cycle_by_turns(): the steps of all units together, and those of one turn.
constexpr std::size_t turn_limit = 100'000;
constexpr std::size_t longest_turn = 200;
constexpr std::uint32_t nobody = 0xffffffff;
// A strongly fair cycle shows all different steps of its component, if they are no more than this.
constexpr std::size_t most_covered = 64;

/// Walks of the machine within one component of the reduced graph. With strong fairness, only units
/// that are owed progress step, within a trap (strong_fairness.hpp). Under weak memory, walks stay
/// within a part in which memory is fair (memory_fairness.hpp).
class component_walk {
 public:
  /// `fresh`: walks take no step that reads a stale value.
  component_walk(explorer& explored, const simt::state_words& start, bool fresh)
      : explored_(explored),
        machine_(explored.machine()),
        strong_(explored.options().fairness == simt::fairness::strong &&
                machine_.owes() != simt::progress::unfair),
        in_part_(strong_ || machine_.traits_of_memory().has_stale_steps),
        fresh_(fresh),
        table_(shape_of(machine_)) {
    start_ = table_.intern(start).id;
    inside_ = representative(start);
  }

  struct edge {
    std::vector<simt::choice> by;
    state_id next;
  };

  [[nodiscard]] state_id start() const { return start_; }
  [[nodiscard]] bool is_strong() const { return strong_; }
  [[nodiscard]] simt::state_words state(state_id s) const { return table_.read(s); }

  /// Returns the steps of `s` that stay inside.
  const std::vector<edge>& edges(state_id s) {
    if (const auto at = edges_.find(s); at != edges_.end()) return at->second;
    machine_.steps(state(s), list_);
    if (strong_) machine_.list_owed(state(s), owed_);
    std::vector<edge> inside;
    for (const simt::transition& t : list_.transitions) {
      if (t.ends != simt::ending::none) continue;
      if (strong_ && !list_.is_choice && !is_owed_step(t.by, s)) continue;
      if (fresh_ && t.is_stale) continue;
      const auto words = list_.state(t, machine_.words());
      simt::state_words after(words.begin(), words.end());
      std::vector<simt::choice> by{t.by};
      machine_.run_ahead(after, &by);
      const state_id next = representative(after);
      if (next == compressed_table::none || !explored_.is_closed(next) ||
          !explored_.same_component(next, inside_) || (in_part_ && !explored_.can_stay(next))) {
        continue;
      }
      inside.push_back({std::move(by), table_.intern(after).id});
    }
    return edges_.emplace(s, std::move(inside)).first->second;
  }

  /// Appends a walk from `from` whose last move satisfies `wanted`. Returns its end, or `none` if
  /// no walk was found. The walk is a shortest one unless the component is large. Then the search
  /// prefers states that resemble the start.
  template <class Wanted>
  state_id append_walk(state_id from, Wanted wanted, std::vector<std::vector<simt::choice>>& walk) {
    struct step {
      state_id previous;
      std::vector<simt::choice> by;
    };
    struct candidate {
      std::size_t cost;
      std::size_t order;
      state_id state;
      bool operator<(const candidate& other) const {
        return std::pair(cost, order) > std::pair(other.cost, other.order);
      }
    };
    boost::unordered_flat_map<state_id, step> came_from;
    std::priority_queue<candidate> queue;
    bool guided = false;
    const auto push = [&](state_id s) {
      queue.push({guided ? distance(s) : 0, came_from.size(), s});
    };
    came_from.emplace(from, step{compressed_table::none, {}});
    push(from);
    while (!queue.empty() && came_from.size() < guided_states) {
      const state_id s = queue.top().state;
      queue.pop();
      const std::vector<edge> inside = edges(s);
      for (const edge& e : inside) {
        if (wanted(s, e)) {
          std::vector<std::vector<simt::choice>> reversed{e.by};
          for (state_id at = s; came_from.at(at).previous != compressed_table::none;
               at = came_from.at(at).previous) {
            reversed.push_back(came_from.at(at).by);
          }
          walk.insert(walk.end(), reversed.rbegin(), reversed.rend());
          return e.next;
        }
        if (came_from.emplace(e.next, step{s, e.by}).second) push(e.next);
      }
      if (!guided && came_from.size() > breadth_first_states) {
        guided = true;
        came_from.clear();
        queue = {};
        came_from.emplace(from, step{compressed_table::none, {}});
        push(from);
      }
    }
    return compressed_table::none;
  }

  /// Lists all steps that can be walked from the start. False: there are more than `limit`.
  bool list_all(std::size_t limit, std::vector<std::pair<state_id, std::size_t>>& steps) {
    std::vector<state_id> states{start_};
    boost::unordered_flat_set<state_id> seen{start_};
    steps.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::vector<edge>& inside = edges(states[i]);
      for (std::size_t e = 0; e < inside.size(); ++e) {
        steps.emplace_back(states[i], e);
        if (seen.insert(inside[e].next).second) states.push_back(inside[e].next);
      }
      if (steps.size() > limit) return false;
    }
    return true;
  }

 private:
  explorer& explored_;
  simt::machine& machine_;
  bool strong_;
  bool in_part_;
  bool fresh_;
  compressed_table table_;  // of the machine's states, not of representatives
  state_id start_;
  state_id inside_;  // the number of some state of the component
  simt::successor_list list_;
  simt::state_words words_;
  std::vector<char> owed_;
  boost::unordered_flat_map<state_id, std::vector<edge>> edges_;

  [[nodiscard]] bool is_owed_step(const simt::choice& by, state_id s) const {
    bool owed = false;
    machine_.for_each_lane(by, state(s), [&](std::uint32_t lane) {
      owed = owed || owed_[machine_.unit_of_lane(lane)] != 0;
    });
    return owed;
  }

  state_id representative(simt::state_view state) {
    words_.assign(state.begin(), state.end());
    machine_.change_places(words_);
    return explored_.states().find(words_);
  }
  [[nodiscard]] std::size_t distance(state_id s) const {
    const auto a = state(s);
    const auto b = state(start_);
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1U : 0U;
    return different;
  }
};

bool steps_for(simt::machine& machine, std::span<const simt::choice> by, simt::state_view state,
               std::uint32_t unit) {
  bool moves = false;
  for (const simt::choice& c : by) {
    machine.for_each_lane(
        c, state, [&](std::uint32_t lane) { moves = moves || machine.unit_of_lane(lane) == unit; });
  }
  return moves;
}

/// Where a unit stands, and what memory holds.
simt::state_words place_of(const simt::machine& machine, simt::state_view state,
                           std::uint32_t unit) {
  if (!machine.has_stacks()) return {state[unit], state[machine.memory_word()]};
  const simt::warp_place& warp = machine.places().warps[unit];
  const auto first = state.begin() + warp.first;
  simt::state_words place(first, first + warp.lanes);
  place.push_back(state[machine.stack_word(unit)]);
  place.push_back(state[machine.memory_word()]);
  return place;
}

using walked = std::vector<std::vector<simt::choice>>;

/// Appends to `cycle` a way round that serves each unit that is owed progress. The unit takes a
/// step, or the way passes a state in which the unit is not enabled. Returns where the way leads.
state_id serve_all(component_walk& walk, simt::machine& machine, walked& cycle) {
  const state_id start = walk.start();
  state_id at = start;
  std::vector<char> owed;  // equal in all states of a component
  machine.list_owed(walk.state(start), owed);
  for (std::uint32_t unit = 0; unit < machine.units(); ++unit) {
    if (owed[unit] == 0) continue;
    state_id from = start;
    bool already = false;
    for (const std::vector<simt::choice>& c : cycle) {
      already = already || steps_for(machine, c, walk.state(from), unit);
      const auto& inside = walk.edges(from);
      from = std::ranges::find(inside, c, &component_walk::edge::by)->next;
    }
    if (already) continue;
    const state_id next = walk.append_walk(
        at,
        [&](state_id s, const component_walk::edge& e) {
          return steps_for(machine, e.by, walk.state(s), unit);
        },
        cycle);
    if (next != compressed_table::none) {
      at = next;
      continue;
    }
    // The unit takes no step inside. The component is fair, so pass a state in which the unit is
    // not enabled.
    simt::successor_list list;
    const auto disabled = [&](state_id s) {
      machine.steps(walk.state(s), list);
      fairness alone(machine);
      alone.add(walk.state(s), list, [](const simt::transition&) { return false; });
      return !list.is_choice && alone.serves(unit);
    };
    if (disabled(at)) continue;
    const state_id passed = walk.append_walk(
        at, [&](state_id, const component_walk::edge& e) { return disabled(e.next); }, cycle);
    if (passed != compressed_table::none) at = passed;
  }
  return at;
}

/// Appends to `cycle` a way round that takes each of `steps`. Returns where the way leads.
state_id take_all(component_walk& walk, const std::vector<std::pair<state_id, std::size_t>>& steps,
                  walked& cycle) {
  boost::unordered_flat_set<std::pair<state_id, std::size_t>> open(steps.begin(), steps.end());
  const auto number_of = [&](state_id s, const std::vector<simt::choice>& by) {
    const auto& inside = walk.edges(s);
    const auto at = std::ranges::find(inside, by, &component_walk::edge::by);
    return static_cast<std::size_t>(at - inside.begin());
  };
  state_id at = walk.start();
  while (!open.empty()) {
    const std::size_t before = cycle.size();
    const state_id next = walk.append_walk(
        at,
        [&](state_id s, const component_walk::edge& e) {
          return open.contains({s, number_of(s, e.by)});
        },
        cycle);
    if (next == compressed_table::none) break;
    for (std::size_t i = before; i < cycle.size(); ++i) {
      const std::size_t step = number_of(at, cycle[i]);
      open.erase({at, step});
      at = walk.edges(at)[step].next;
    }
  }
  return at;
}

/// Returns a way round from the walk's start; empty if none was found.
std::vector<simt::choice> cycle_of(component_walk walk, explorer& explored) {
  const state_id start = walk.start();
  walked cycle;
  std::vector<std::pair<state_id, std::size_t>> steps;
  const state_id at = walk.is_strong() && walk.list_all(most_covered, steps)
                          ? take_all(walk, steps, cycle)
                          : serve_all(walk, explored.machine(), cycle);
  if (at != start || cycle.empty()) {
    const state_id back = walk.append_walk(
        at, [&](state_id, const component_walk::edge& e) { return e.next == start; }, cycle);
    if (back == compressed_table::none) return {};
  }
  std::vector<simt::choice> choices;
  for (const auto& c : cycle) choices.insert(choices.end(), c.begin(), c.end());
  return choices;
}

/// Cuts a prefix that has already gone around the cycle: the cycle then begins at the first state
/// of the prefix, behind `kept` choices, that is on it. `states`: the states before each choice, of
/// the prefix and of the cycle.
void begin_early(execution& how, const std::vector<simt::state_words>& states, std::size_t kept) {
  boost::unordered_flat_map<std::string_view, std::size_t> on_cycle;
  const auto bytes_of = [](const simt::state_words& words) {
    return std::string_view(reinterpret_cast<const char*>(words.data()),
                            words.size() * sizeof(words[0]));
  };
  for (std::size_t i = how.prefix.size(); i < states.size(); ++i) {
    on_cycle.emplace(bytes_of(states[i]), i - how.prefix.size());
  }
  for (std::size_t i = kept; i < how.prefix.size(); ++i) {
    const auto at = on_cycle.find(bytes_of(states[i]));
    if (at == on_cycle.end()) continue;
    std::ranges::rotate(how.cycle, how.cycle.begin() + static_cast<std::ptrdiff_t>(at->second));
    how.prefix.resize(i);
    return;
  }
}

void go_round(simt::machine& machine, execution& how, std::size_t kept) {
  simt::replay run(machine);
  std::vector<simt::state_words> states;  // the states before each choice
  const auto follow = [&](const std::vector<simt::choice>& choices) {
    return std::ranges::all_of(choices, [&](const simt::choice& c) {
      states.push_back(run.state());
      return run.follow(c);
    });
  };
  if (!follow(how.prefix)) return;
  std::vector<simt::state_words> after{run.state()};
  for (int lap = 0; lap < lap_limit; ++lap) {
    if (!follow(how.cycle)) return;
    const auto same = std::ranges::find(after, run.state());
    if (same == after.end()) {
      after.push_back(run.state());
      continue;
    }
    const std::vector<simt::choice> once = how.cycle;
    const auto before = static_cast<std::size_t>(same - after.begin());
    for (std::size_t i = 0; i < before; ++i) {
      how.prefix.insert(how.prefix.end(), once.begin(), once.end());
    }
    for (std::size_t i = before + 1; i < after.size(); ++i) {
      how.cycle.insert(how.cycle.end(), once.begin(), once.end());
    }
    begin_early(how, states, kept);
    return;
  }
}

}  // namespace

std::vector<simt::choice> cycle_from(explorer& explored, const simt::state_words& begin) {
  // Prefer a cycle without stale loads. If there is none, take one with stale loads.
  if (explored.machine().traits_of_memory().has_stale_steps) {
    std::vector<simt::choice> cycle = cycle_of(component_walk(explored, begin, true), explored);
    if (!cycle.empty()) return cycle;
  }
  return cycle_of(component_walk(explored, begin, false), explored);
}

void settle_cycle(simt::machine& machine, execution& how, std::size_t kept) {
  if (how.cycle.empty()) return;
  do {  // under weak memory, repeat with what was learnt
    machine.begin_again();
    unless_void(machine, [&] { go_round(machine, how, kept); });
  } while (machine.has_news());
}

std::vector<simt::choice> cycle_by_turns(simt::machine& machine, simt::state_words state,
                                         std::vector<simt::choice>& prefix) {
  // The units take turns until a pair (state, whose turn) comes again. By then every enabled unit
  // has stepped. A turn lasts until the unit is back at a place where it was in this turn: most
  // often, one round of a loop.
  compressed_table seen({machine.words() + 1, machine.memory_word(), 2});
  std::vector<simt::choice> choices;
  // the number of the state before each choice
  std::vector<state_id> before;
  boost::unordered_flat_map<state_id, std::size_t> turns;  // how many choices come before a turn
  simt::successor_list list;
  std::uint32_t turn = 0;
  std::size_t steps = 0;  // of the present turn
  simt::state_words start, mark;
  const auto number = [&](std::uint32_t whose) {
    simt::state_words key = state;
    key.push_back(whose);
    return seen.intern(key).id;
  };
  for (std::size_t i = 0; i < turn_limit; ++i) {
    before.push_back(number(nobody));
    if (steps == 0) {
      const auto [turn_before, is_new] = turns.emplace(number(turn), choices.size());
      if (!is_new) {
        // The cycle may have begun earlier.
        std::size_t from = turn_before->second;
        const std::size_t length = choices.size() - from;
        while (from > 0 && before[from - 1] == before[from - 1 + length] &&
               choices[from - 1] == choices[from - 1 + length]) {
          --from;
        }
        const auto begin = choices.begin() + static_cast<std::ptrdiff_t>(from);
        prefix.insert(prefix.end(), choices.begin(), begin);
        return {begin, begin + static_cast<std::ptrdiff_t>(length)};
      }
    }
    try {
      machine.steps(state, list);
    } catch (const simt::lane_automaton::given_up&) {
      break;
    }
    if (list.transitions.empty()) break;
    const bool is_of_nobody =
        list.is_choice || list.transitions.front().by.what == simt::choice::kind::launch;
    const simt::transition* next = is_of_nobody ? &list.transitions.front() : nullptr;
    for (std::uint32_t k = 0; next == nullptr && k < machine.units(); ++k) {
      const std::uint32_t unit = (turn + k) % machine.units();
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none || !steps_for(machine, {&t.by, 1}, state, unit)) continue;
        next = &t;
        if (unit != turn) steps = 0;
        turn = unit;
        break;
      }
    }
    if (next == nullptr || next->ends != simt::ending::none) break;
    if (steps == 0) start = place_of(machine, state, turn);
    if (steps == 0 || std::has_single_bit(steps))
      mark = place_of(machine, state, turn);  // Brent 1980
    choices.push_back(next->by);
    const auto words = list.state(*next, machine.words());
    state.assign(words.begin(), words.end());
    if (is_of_nobody) continue;
    const simt::state_words place = place_of(machine, state, turn);
    if (++steps < longest_turn && place != start && place != mark) continue;
    steps = 0;
    turn = (turn + 1) % machine.units();
  }
  prefix.insert(prefix.end(), choices.begin(), choices.end());
  return {};
}

}  // namespace warpcheck
