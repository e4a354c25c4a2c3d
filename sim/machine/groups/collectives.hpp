// Collectives of a warp: shuffles, votes, reductions, syncwarp, activemask.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/machine/step_list.hpp"

namespace simt {

class machine;

/// Carries out collectives of one machine. Lanes of a warp are named by a mask.
class warp_collectives {
 public:
  explicit warp_collectives(machine& of) : machine_(of) {}

  /// The lanes of a warp that the collective names, for the lane at place `i`. An activemask names
  /// none, and the use of an undefined value only the lane itself. `full`: all lanes of the warp.
  [[nodiscard]] static std::uint32_t mask_of(const operation& op, std::uint32_t i,
                                             std::uint32_t full) {
    if (op.collective == detail::collective_kind::activemask) return 0;
    return op.collective == detail::collective_kind::undefined ? 1U << i : op.mask & full;
  }
  /// Lists the step in which `lanes` of `warp` carry out their collective together.
  void step(state_view state, std::uint32_t warp, std::uint32_t lanes, successor_list& out);
  /// Fills `answers` with the answer to each of `lanes` of `warp` at their collective, by its place
  /// in the warp. False: a lane reads from a lane that does not take part, or uses what it did not
  /// get, and `why` says so.
  [[nodiscard]] bool collect_answers(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                     std::array<std::uint64_t, 32>& answers,
                                     std::string& why) const;
  /// The mask that each of `lanes` of `warp` passes to its collective, by the lane's place in the
  /// warp.
  [[nodiscard]] std::array<std::uint32_t, 32> masks_of(state_view state, std::uint32_t warp,
                                                       std::uint32_t lanes) const;
  /// The lane that a `shfl` of lane `own` reads from. Both are places in the warp.
  [[nodiscard]] static std::uint32_t shuffle_source(std::uint32_t own, std::uint32_t packed);

 private:
  machine& machine_;

  /// Whether the lane waits at a shuffle with a value that an earlier shuffle did not get.
  [[nodiscard]] bool is_undefined_at(state_view state, std::uint32_t lane) const;

  /// The answers to lanes at a collective that all of them call with one mask.
  [[nodiscard]] bool answers_in_group(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                      std::array<std::uint64_t, 32>& answers,
                                      std::string& why) const;
};

}  // namespace simt
