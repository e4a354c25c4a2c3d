// Joins the nodes of units in sets by union-find, and checks that every set serves its unit.
#include "checker/liveness/quotient_fairness.hpp"

#include <numeric>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace warpcheck {
namespace {

class node_sets {
 public:
  std::uint32_t add() {
    const auto node = static_cast<std::uint32_t>(parent_.size());
    parent_.push_back(node);
    served_.push_back(0);
    return node;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    parent_[b] = a;
    served_[a] = static_cast<char>(served_[a] | served_[b]);
  }
  void serve(std::uint32_t node) { served_[find(node)] = 1; }
  bool all_served() {
    for (std::uint32_t node = 0; node < parent_.size(); ++node) {
      if (served_[find(node)] == 0) return false;
    }
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<char> served_;

  std::uint32_t find(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
};

}  // namespace

bool quotient_is_fair(simt::machine& machine, const compressed_table& states,
                      std::span<const state_id> members,
                      const std::function<bool(state_id)>& inside) {
  // Where memory tells lanes apart, lanes that wait at the same operation may not change places.
  const simt::symmetry* const moves =
      machine.traits_of_memory().names_lanes ? nullptr : machine.symmetry_of_lanes();
  const auto orbits = [&](simt::state_view state, std::vector<std::uint32_t>& first) {
    if (moves != nullptr) return moves->orbits(state, first);
    first.resize(machine.units());
    std::iota(first.begin(), first.end(), 0U);
  };
  const std::uint32_t units = machine.units();
  const auto lane_of = [&](std::uint32_t unit) {
    return machine.has_stacks() ? machine.places().warps[unit].first : unit;
  };

  // Maps a state and the first unit of those that may change places there to a node.
  node_sets sets;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> nodes;
  const auto node = [&](state_id s, std::uint32_t first) {
    const auto [at, is_new] = nodes.try_emplace(std::uint64_t{s} << 32 | first, 0);
    if (is_new) at->second = sets.add();
    return at->second;
  };

  simt::successor_list list;
  compressed_table::cursor here;
  simt::state_words next;
  std::vector<simt::choice> made;
  std::vector<std::uint32_t> first_here, first_there, moved,
      place_of(machine.places().lanes.size());
  std::vector<char> enabled, stepping, owed;
  for (const state_id s : members) {
    states.read(s, here);
    const simt::state_view state = here.words();
    machine.distinct_steps(state, list);
    orbits(state, first_here);
    enabled.assign(units, 0);
    for (const simt::transition& t : list.transitions) {
      stepping.assign(units, 0);
      machine.for_each_lane(t.by, state, [&](std::uint32_t lane) {
        stepping[machine.unit_of_lane(lane)] = 1;
        enabled[first_here[machine.unit_of_lane(lane)]] = 1;
      });
      if (t.ends != simt::ending::none) continue;
      const auto words = list.state(t, machine.words());
      next.assign(words.begin(), words.end());
      made.clear();
      machine.run_ahead(next, &made);
      for (const simt::choice& c : made) {
        machine.for_each_lane(
            c, state, [&](std::uint32_t lane) { stepping[machine.unit_of_lane(lane)] = 1; });
      }
      moved.resize(place_of.size());
      std::iota(moved.begin(), moved.end(), 0U);
      machine.change_places(next, &moved);
      const state_id to = states.find(next, here);
      if (to == compressed_table::none || !inside(to)) continue;
      orbits(next, first_there);
      for (std::uint32_t place = 0; place < moved.size(); ++place) place_of[moved[place]] = place;
      for (std::uint32_t unit = 0; unit < units; ++unit) {
        const std::uint32_t here = node(s, first_here[unit]);
        const std::uint32_t there =
            node(to, first_there[machine.unit_of_lane(place_of[lane_of(unit)])]);
        sets.unite(here, there);
        if (stepping[unit] != 0) sets.serve(here);
      }
    }
    machine.list_owed(state, owed);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
      const std::uint32_t here = node(s, first_here[unit]);
      const bool is_disabled = !list.is_choice && enabled[first_here[unit]] == 0;
      if (owed[unit] == 0 || is_disabled) sets.serve(here);
    }
  }
  return sets.all_served();
}

}  // namespace warpcheck
