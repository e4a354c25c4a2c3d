// How one lane could have learnt of what another one did: the way of stores that are read, and of
// barriers, whether or not its links order anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// One lane learns from another.
struct learning_link {
  enum class kind : std::uint8_t {
    reads,    // `to` reads what `from` stored
    barrier,  // both take part in one that orders memory
    other,    // both take part in a collective that does not
  };
  kind what{};
  std::uint32_t from = 0, to = 0;  // lanes
  std::size_t store = 0;           // reads: the step of the store, by its place in the trace
  std::size_t at = 0;              // the step in which `to` learns
  std::string lacks;               // why it orders nothing; empty: it does
  std::string remedy;
};

/// The shortest way from step `first` of one lane to step `second` of another, the latest of those.
/// Empty: there is none. Links that order nothing say why.
std::vector<learning_link> way_of_learning(session& run, const trace& t, std::size_t first,
                                           std::uint32_t first_lane, std::size_t second,
                                           std::uint32_t second_lane);

/// The action of the lane in the step.
const lane_action& action_in(const trace& t, std::size_t step, std::uint32_t lane);

/// "… has read `flag` (step 4) behind what …", or the way in several links, up to the one that is
/// missing. Of a way that is not empty.
std::vector<std::string> text_of_way(names& named, const trace& t,
                                     const std::vector<learning_link>& way);
/// What to do at the link that is missing.
std::string remedy_of_way(const std::vector<learning_link>& way);

}  // namespace warpcheck
