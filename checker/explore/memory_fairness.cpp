#include "checker/explore/memory_fairness.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace warpcheck {
namespace {

class fair_parts {
 public:
  fair_parts(simt::machine& machine, const compressed_table& states,
             std::span<const state_id> members, const std::function<bool(state_id)>& inside)
      : members_(members), units_(machine.units()) {
    boost::unordered_flat_map<state_id, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < members.size(); ++i) numbers.emplace(members[i], i);
    simt::successor_list list;
    compressed_table::cursor here;
    std::vector<char> owed, enabled;
    waits_.resize(members.size());
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      states.read(members[i], here);
      promises_.push_back(machine.has_promises(here.words()) ? 1 : 0);
      machine.successors(here.words(), list);
      machine.list_owed(here.words(), owed);
      enabled.assign(units_, 0);
      for (const simt::transition& t : list.transitions) {
        step s{i, i, {}, nothing, t.is_stale};
        machine.for_each_lane(t.by, here.words(), [&](std::uint32_t lane) {
          s.units.push_back(machine.unit_of_lane(lane));
          enabled[s.units.back()] = 1;
        });
        if (t.location != simt::transition::no_state) {
          s.load = std::uint64_t{t.by.unit} << 32 | t.location;
        }
        if (t.ends != simt::ending::none) continue;
        if (!t.stays) {
          const state_id next = states.find(list.state(t, machine.words()), here);
          if (next == compressed_table::none || !inside(next)) continue;
          s.to = numbers.at(next);
        }
        steps_.push_back(std::move(s));
      }
      // Who is enabled and owed progress must take a step somewhere.
      waits_[i].assign(units_, 0);
      for (std::uint32_t u = 0; u < units_ && !list.is_choice; ++u) {
        waits_[i][u] = enabled[u] == 0 || owed[u] == 0;
      }
    }
  }

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
  struct step {
    std::uint32_t from, to;
    std::vector<std::uint32_t> units;
    std::uint64_t load;  // lane and location
    bool is_stale;
  };

  std::span<const state_id> members_;
  std::uint32_t units_;
  std::vector<char> promises_;            // by state: somebody has promised a store
  std::vector<step> steps_;               // in rising order of `from`
  std::vector<std::vector<char>> waits_;  // by state and unit: need not step here

  /// The steps within each strongly connected part that has any.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> strongly_connected(
      const std::vector<std::uint32_t>& steps) const {
    using csr =
        boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                           boost::no_property, std::uint32_t, std::uint32_t>;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const std::uint32_t s : steps) edges.emplace_back(steps_[s].from, steps_[s].to);
    const auto count = static_cast<std::uint32_t>(members_.size());
    const csr graph(boost::edges_are_sorted, edges.begin(), edges.end(), count);
    std::vector<std::uint32_t> part(count);
    const std::uint32_t parts = boost::strong_components(
        graph, boost::make_iterator_property_map(part.begin(), get(boost::vertex_index, graph)));
    std::vector<std::vector<std::uint32_t>> result(parts);
    for (const std::uint32_t s : steps) {
      if (part[steps_[s].from] == part[steps_[s].to]) result[part[steps_[s].from]].push_back(s);
    }
    std::erase_if(result, [](const auto& inner) { return inner.empty(); });
    return result;
  }

  // Weak fairness: what a smaller part serves, a larger one serves, too.
  [[nodiscard]] bool serves_all(const std::vector<std::uint32_t>& part) const {
    std::vector<char> served(units_, 0);
    for (const std::uint32_t s : part) {
      for (const std::uint32_t u : steps_[s].units) served[u] = 1;
      for (std::uint32_t u = 0; u < units_; ++u) {
        if (waits_[steps_[s].from][u] != 0) served[u] = 1;
      }
    }
    return std::ranges::find(served, 0) == served.end();
  }

  // Where somebody has promised something all the time, it is never kept: that is no execution.
  [[nodiscard]] bool keeps_promises(const std::vector<std::uint32_t>& part) const {
    return std::ranges::any_of(part,
                               [&](std::uint32_t s) { return promises_[steps_[s].from] == 0; });
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
    for (const std::uint32_t s : part) all.insert(members_[steps_[s].from]);
    return all;
  }
};

}  // namespace

boost::unordered_flat_set<state_id> part_with_fair_memory(
    simt::machine& machine, const compressed_table& states, std::span<const state_id> members,
    const std::function<bool(state_id)>& inside) {
  return fair_parts(machine, states, members, inside).find();
}

}  // namespace warpcheck
