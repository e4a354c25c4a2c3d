// Unfolds a component so that each lane keeps its name, and takes away loads that would be stale
// for ever.
#include "checker/liveness/memory_fairness.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/liveness/held_back.hpp"
#include "sim/automaton/components.hpp"

namespace warpcheck {
namespace {

// If lanes change places, a cycle of the reduced graph may end with other lanes at its places. So
// the component is unfolded: a node is a member together with the lane that is at each place.
constexpr std::size_t most_nodes = 4'000'000;

class fair_parts {
 public:
  fair_parts(simt::machine& machine, const compressed_table& states,
             std::span<const state_id> members, const std::function<bool(state_id)>& inside)
      : members_(members), units_(machine.units()) {
    list_moves(machine, states, inside);
    is_whole_ = unfold(machine);
  }

  /// False: lanes change places in too many ways to follow.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  boost::unordered_flat_set<state_id> find() {
    std::vector<std::uint32_t> all(steps_.size());
    for (std::uint32_t s = 0; s < all.size(); ++s) all[s] = s;
    std::vector<std::vector<std::uint32_t>> todo{std::move(all)};
    while (!todo.empty()) {
      const std::vector<std::uint32_t> steps = std::move(todo.back());
      todo.pop_back();
      for (std::vector<std::uint32_t>& part : strongly_connected(steps)) {
        const std::size_t had = part.size();
        if (!serves_all(part) || !keeps_promises(part)) continue;
        take_stale_away(part);
        if (part.size() == had) return states_of(part);
        todo.push_back(std::move(part));
      }
    }
    return {};
  }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  using lanes = std::vector<std::uint32_t>;  // by place
  struct move {                              // of a member
    std::uint32_t to = 0;                    // number of a member
    lanes units;                             // units that step
    std::uint64_t load = nothing;            // lane and location of the load
    bool is_stale = false;
    lanes moved;  // by place: the lane that comes there; empty: all stay
  };
  struct step {  // of a node
    std::uint32_t from, to;
    lanes units;
    std::uint64_t load;
    bool is_stale;
  };
  struct node {
    std::uint32_t member;
    lanes at;  // empty: each lane at its own place
    friend bool operator==(const node&, const node&) = default;
    friend std::size_t hash_value(const node& n) {
      std::size_t h = boost::hash_range(n.at.begin(), n.at.end());
      boost::hash_combine(h, n.member);
      return h;
    }
  };

  bool is_whole_ = false;
  std::span<const state_id> members_;
  std::uint32_t units_;
  std::vector<std::vector<move>> moves_;  // by member
  std::vector<std::vector<char>> waits_;  // by member and unit: the unit need not step here
  std::vector<char> promises_;            // by member: whether a promise is open
  std::vector<node> nodes_;
  // By node and unit, with the names that lanes have at the first node.
  std::vector<std::vector<char>> node_waits_;
  std::vector<step> steps_;  // ascending by `from`

  void list_moves(simt::machine& machine, const compressed_table& states,
                  const std::function<bool(state_id)>& inside) {
    boost::unordered_flat_map<state_id, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < members_.size(); ++i) numbers.emplace(members_[i], i);
    simt::successor_list list;
    compressed_table::cursor here;
    simt::state_words next;
    std::vector<simt::choice> ahead;
    std::vector<char> owed, enabled;
    waits_.resize(members_.size());
    moves_.resize(members_.size());
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      states.read(members_[i], here);
      promises_.push_back(machine.has_promises(here.words()) ? 1 : 0);
      machine.steps(here.words(), list);
      machine.list_owed(here.words(), owed);
      enabled.assign(units_, 0);
      if (promises_.back() != 0) enabled = units_at_memory(machine, here.words());
      for (const simt::transition& t : list.transitions) {
        move m;
        m.to = i;
        m.is_stale = t.is_stale;
        machine.for_each_lane(t.by, here.words(), [&](std::uint32_t lane) {
          m.units.push_back(machine.unit_of_lane(lane));
          enabled[m.units.back()] = 1;
        });
        if (t.location != simt::transition::no_state) {
          m.load = std::uint64_t{t.by.unit} << 32 | t.location;
        }
        if (t.ends != simt::ending::none) continue;
        if (!t.stays) {
          const auto words = list.state(t, machine.words());
          next.assign(words.begin(), words.end());
          ahead.clear();
          machine.run_ahead(next, &ahead);  // at no location, so none of these steps is stale
          for (const simt::choice& c : ahead) {
            machine.for_each_lane(c, here.words(), [&](std::uint32_t lane) {
              m.units.push_back(machine.unit_of_lane(lane));
            });
          }
          machine.change_places(next, &m.moved);
          if (std::ranges::is_sorted(m.moved)) m.moved.clear();
          const state_id to = states.find(next, here);
          if (to == compressed_table::none || !inside(to)) continue;
          m.to = numbers.at(to);
        }
        moves_[i].push_back(std::move(m));
      }
      // A unit that is enabled and owed progress must take a step somewhere.
      waits_[i].assign(units_, 0);
      for (std::uint32_t u = 0; u < units_ && !list.is_choice; ++u) {
        waits_[i][u] = enabled[u] == 0 || owed[u] == 0;
      }
    }
  }

  // Lists all nodes that can be reached from the first member, whose lanes give all lanes their
  // names. From each other node, the same nodes can be reached with other names.
  bool unfold(const simt::machine& machine) {
    const auto lane_of = [&](std::uint32_t unit) {
      return machine.has_stacks() ? machine.places().warps[unit].first : unit;
    };
    boost::unordered_flat_map<node, std::uint32_t> numbers;
    const auto number_of = [&](const node& n) {
      const auto [at, is_new] = numbers.try_emplace(n, static_cast<std::uint32_t>(nodes_.size()));
      if (is_new) nodes_.push_back(n);
      return at->second;
    };
    number_of({0, {}});
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_.size() > most_nodes) return false;
      const node from = nodes_[i];
      const auto lane_at = [&](std::uint32_t place) {
        return from.at.empty() ? place : from.at[place];
      };
      const auto unit_at = [&](std::uint32_t unit) {
        return from.at.empty() ? unit : machine.unit_of_lane(lane_at(lane_of(unit)));
      };
      node_waits_.emplace_back(units_, 0);
      for (std::uint32_t u = 0; u < units_; ++u) {
        node_waits_.back()[unit_at(u)] = waits_[from.member][u];
      }
      for (const move& m : moves_[from.member]) {
        node to{m.to, from.at};
        if (!m.moved.empty()) {
          to.at.resize(m.moved.size());
          for (std::uint32_t p = 0; p < m.moved.size(); ++p) to.at[p] = lane_at(m.moved[p]);
          if (std::ranges::is_sorted(to.at)) to.at.clear();
        }
        step s{i, number_of(to), {}, m.load, m.is_stale};
        for (const std::uint32_t u : m.units) s.units.push_back(unit_at(u));
        if (m.load != nothing) {
          const auto lane = static_cast<std::uint32_t>(m.load >> 32);
          const auto location = static_cast<std::uint32_t>(m.load);
          const auto before = location_before(machine, from.at, location);
          if (!before) return false;
          s.load = std::uint64_t{lane_at(lane)} << 32 | *before;
        }
        steps_.push_back(std::move(s));
      }
    }
    return true;
  }

  /// Returns the location's name at the first member.
  static std::optional<std::uint32_t> location_before(const simt::machine& machine, const lanes& at,
                                                      std::uint32_t location) {
    if (at.empty() || !machine.renames()) return location;
    return machine.renaming_of_lanes()->offset_before(at, location);
  }

  /// Returns the steps within each strongly connected part that has any.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> strongly_connected(
      const std::vector<std::uint32_t>& steps) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const std::uint32_t s : steps) edges.emplace_back(steps_[s].from, steps_[s].to);
    const simt::components parts = simt::components_of_edges(nodes_.size(), edges);
    std::vector<std::vector<std::uint32_t>> result(parts.count);
    for (const std::uint32_t s : steps) {
      const std::uint32_t part = parts.of[steps_[s].from];
      if (part == parts.of[steps_[s].to]) result[part].push_back(s);
    }
    std::erase_if(result, [](const auto& inner) { return inner.empty(); });
    return result;
  }

  // Weak fairness: a larger part serves all units that a smaller part serves.
  [[nodiscard]] bool serves_all(const std::vector<std::uint32_t>& part) const {
    std::vector<char> served(units_, 0);
    for (const std::uint32_t s : part) {
      for (const std::uint32_t u : steps_[s].units) served[u] = 1;
      for (std::uint32_t u = 0; u < units_; ++u) {
        if (node_waits_[steps_[s].from][u] != 0) served[u] = 1;
      }
    }
    return std::ranges::find(served, 0) == served.end();
  }

  // If a promise is open in every state of a part, it is never kept, and the run is no execution.
  [[nodiscard]] bool keeps_promises(const std::vector<std::uint32_t>& part) const {
    return std::ranges::any_of(
        part, [&](std::uint32_t s) { return promises_[nodes_[steps_[s].from].member] == 0; });
  }

  void take_stale_away(std::vector<std::uint32_t>& part) const {
    boost::unordered_flat_set<std::uint64_t> fresh;
    for (const std::uint32_t s : part) {
      if (steps_[s].load != nothing && !steps_[s].is_stale) fresh.insert(steps_[s].load);
    }
    std::erase_if(part, [&](std::uint32_t s) {
      return steps_[s].is_stale && !fresh.contains(steps_[s].load);
    });
  }

  [[nodiscard]] boost::unordered_flat_set<state_id> states_of(
      const std::vector<std::uint32_t>& part) const {
    boost::unordered_flat_set<state_id> all;
    for (const std::uint32_t s : part) all.insert(members_[nodes_[steps_[s].from].member]);
    return all;
  }
};

}  // namespace

std::optional<boost::unordered_flat_set<state_id>> part_with_fair_memory(
    simt::machine& machine, const compressed_table& states, std::span<const state_id> members,
    const std::function<bool(state_id)>& inside) {
  fair_parts parts(machine, states, members, inside);
  if (!parts.is_whole()) return std::nullopt;
  return parts.find();
}

}  // namespace warpcheck
