// Finds how one lane could have learnt of what another lane did: through stores that are read, and
// through barriers, whether or not these links order anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// A link by which one lane learns from another.
struct learning_link {
  enum class kind : std::uint8_t {
    reads,    // `to` reads what `from` stored
    barrier,  // both take part in a barrier that orders memory
    other,    // both take part in a collective that orders nothing
  };
  kind what{};
  std::uint32_t from = 0, to = 0;  // lanes
  std::size_t store = 0;           // reads: the step of the store, by its place in the trace
  std::size_t at = 0;              // the step in which `to` learns
  std::string lacks;               // why the link orders nothing; empty: it orders
  std::string remedy;
};

/// Returns the shortest way from step `first` of one lane to step `second` of another, the latest
/// of these. Empty: there is none. Links that order nothing say why.
std::vector<learning_link> way_of_learning(session& run, const trace& t, std::size_t first,
                                           std::uint32_t first_lane, std::size_t second,
                                           std::uint32_t second_lane);

/// Returns the action of the lane in the step.
const lane_action& action_in(const trace& t, std::size_t step, std::uint32_t lane);

/// Returns "… has read `flag` (step 4) behind what …", or the links of the way up to the missing
/// one. The way must not be empty.
std::vector<std::string> text_of_way(names& named, const trace& t,
                                     const std::vector<learning_link>& way);
/// Returns what to do at the missing link.
std::string remedy_of_way(const std::vector<learning_link>& way);

}  // namespace warpcheck
