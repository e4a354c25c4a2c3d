// Takes away states from which an owed step leaves the component, and keeps the last strongly
// connected parts.
#include "checker/liveness/strong_fairness.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/components.hpp"

namespace warpcheck {
namespace {

/// The owed steps between the members of a component, and moves that take no step.
struct owed_steps {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // ascending by the first number
  std::vector<char> leaves;  // by member: an owed step leads elsewhere, or there is none
  std::vector<char> keeps;   // by member: no promise is open
};

owed_steps owed_steps_of(simt::machine& machine, const compressed_table& states,
                         std::span<const state_id> members,
                         const std::function<bool(state_id)>& inside) {
  boost::unordered_flat_map<state_id, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < members.size(); ++i) numbers.emplace(members[i], i);
  owed_steps all;
  all.leaves.assign(members.size(), 0);
  all.keeps.assign(members.size(), 1);
  simt::successor_list list;
  compressed_table::cursor here;
  std::vector<char> owed;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    states.read(members[i], here);
    if (machine.has_promises(here.words())) all.keeps[i] = 0;
    machine.successors(here.words(), list);
    machine.list_owed(here.words(), owed);
    bool any = false;
    for (const simt::transition& t : list.transitions) {
      bool counts = list.is_choice;
      machine.for_each_lane(t.by, here.words(), [&](std::uint32_t lane) {
        counts = counts || owed[machine.unit_of_lane(lane)] != 0;
      });
      if (!counts) continue;
      any = true;
      const state_id next = t.ends != simt::ending::none ? compressed_table::none
                            : t.stays                    ? members[i]
                                      : states.find(list.state(t, machine.words()), here);
      if (next == compressed_table::none || !inside(next)) {
        all.leaves[i] = 1;
      } else {
        all.edges.emplace_back(i, numbers.at(next));
      }
    }
    if (!any) all.leaves[i] = 1;
  }
  return all;
}

/// Marks all members from which owed steps lead to a member that leaves.
void spread_backwards(owed_steps& all) {
  std::vector<std::vector<std::uint32_t>> before(all.leaves.size());
  for (const auto& [from, to] : all.edges) before[to].push_back(from);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < all.leaves.size(); ++i) {
    if (all.leaves[i] != 0) todo.push_back(i);
  }
  while (!todo.empty()) {
    const std::uint32_t to = todo.back();
    todo.pop_back();
    for (const std::uint32_t from : before[to]) {
      if (all.leaves[from] != 0) continue;
      all.leaves[from] = 1;
      todo.push_back(from);
    }
  }
}

}  // namespace

boost::unordered_flat_set<state_id> strong_traps(simt::machine& machine,
                                                 const compressed_table& states,
                                                 std::span<const state_id> members,
                                                 const std::function<bool(state_id)>& inside) {
  // If every unit is owed progress, every step may lead to the end.
  if (machine.owes() == simt::progress::fair) return {};
  owed_steps all = owed_steps_of(machine, states, members, inside);
  spread_backwards(all);
  boost::unordered_flat_set<state_id> traps;
  if (std::ranges::find(all.leaves, 0) == all.leaves.end()) return traps;

  std::erase_if(all.edges, [&](const auto& e) { return all.leaves[e.first] != 0; });
  const auto count = static_cast<std::uint32_t>(members.size());
  const simt::components parts = simt::components_of_edges(count, all.edges);
  const std::vector<std::uint32_t>& part = parts.of;
  std::vector<char> is_last(parts.count, 1);  // by part: no step leads to another part
  for (const auto& [from, to] : all.edges) {
    if (part[from] != part[to]) is_last[part[from]] = 0;
  }
  std::vector<char> keeps(parts.count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (all.keeps[i] != 0) keeps[part[i]] = 1;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_trap = is_last[part[i]] != 0 && keeps[part[i]] != 0;
    if (all.leaves[i] == 0 && is_trap) traps.insert(members[i]);
  }
  return traps;
}

}  // namespace warpcheck
