// Barriers of a block, of a cluster and of the grid.
#pragma once

#include <cstdint>

#include "sim/lane/operation.hpp"
#include "sim/machine/step_list.hpp"

namespace simt {

class machine;

/// Carries out the barriers of one machine, and checks rules 4 to 7 of barrier-divergence
/// (docs/model.md).
class grid_barriers {
 public:
  explicit grid_barriers(machine& of) : machine_(of) {}

  /// Lists the steps of all barriers.
  void steps(state_view state, successor_list& out);
  /// Lists the steps of barriers of a block, and of the halves of its cluster's barrier.
  void steps_of_block(state_view state, std::uint32_t block, successor_list& out);
  /// Lists the steps of barriers of clusters and of the grid.
  void wide_steps(state_view state, successor_list& out);

  /// What the lanes have said that pass a barrier of a block together, or that one warp's arrival
  /// at a named barrier lets go on.
  struct vote_count {
    std::uint32_t yes = 0, all = 0;  // lanes
    bool completes = true;           // a named barrier: whether the arrival is the last one
  };
  /// The votes of the lanes that the step `by` of barrier `op` concerns.
  [[nodiscard]] vote_count votes_at(state_view state, const operation& op, const choice& by) const;
  /// The answer to a lane that stands at the barrier: the result of its reduction, 0 without one.
  /// An arrival at a named barrier is answered 0 if it is not the last one, or else with the result
  /// in the bits above bit 0, which is 1.
  [[nodiscard]] static std::uint64_t answer(const operation& op, const vote_count& votes);

 private:
  machine& machine_;

  // The barrier of a cluster that is called in two halves.
  void half_steps(state_view state, std::uint32_t block, successor_list& out);
  [[nodiscard]] bool are_all_in(state_view state, std::uint32_t cluster) const;
  void arrive_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                         successor_list& out);
  void pass_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                       successor_list& out);
};

}  // namespace simt
