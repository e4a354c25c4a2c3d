// Decides for each state of an exploration by all ranks whether an end can be reached, and whether
// a fair run can stay in its component for ever.
//
// The first rank gathers the edges, in 4 bytes each, and finds the components alone. That takes a
// small part of the time of exploring. Algorithms that leave the graph where it is go through all
// of it once for each layer of components. Our graphs have many layers of small components. All
// ranks share the work of looking at the states of each component again for livelocks.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/distributed/exploration_part.hpp"
#include "checker/explore/explorer.hpp"

namespace warpcheck {

class graph_judgement {
 public:
  graph_judgement(ranks& all, exploration_part& part, simt::machine& machine,
                  simt::lane_automaton& lanes, state_codec& codec,
                  const common_addresses& addresses, const limits& bounds)
      : all_(all),
        part_(part),
        machine_(machine),
        lanes_(lanes),
        codec_(codec),
        addresses_(addresses),
        bounds_(bounds) {}

  /// All together, after a complete exploration. Findings go to the part's shared_search. If the
  /// graph is too large for the first rank, the shared_search says why it stops.
  void judge();
  /// All together: gives the first rank all states, with what is known of them, for
  /// counterexamples. `target` is null on other ranks.
  void hand_over(explorer* target);

 private:
  struct edges_of_rank {
    std::vector<std::uint64_t> first;  // one more element than there are states
    std::vector<exploration_part::global_id> targets;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint32_t> marks;  // state_mark of closed states
  };

  ranks& all_;
  exploration_part& part_;
  simt::machine& machine_;
  simt::lane_automaton& lanes_;
  state_codec& codec_;
  common_addresses addresses_;
  const limits& bounds_;
  std::vector<edges_of_rank> graph_;  // on the first rank only, by rank
  std::uint32_t next_component_ = state_mark::first_component;
  bool has_dead_ = false;
  bool stays_alone_ = false;          // a fair run can stay in one state that can reach an end
  bool has_candidates_ = false;       // some components of several states can reach an end
  std::vector<std::uint32_t> marks_;  // of the states of this rank

  bool fits();
  void gather();
  void find_components();
  void scatter_marks();
  void look_at_components();
};

}  // namespace warpcheck
