// Finds ABA: a compare-exchange succeeds although its location has changed, and changed back, since
// the operation that carries it out has read the location.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/names.hpp"
#include "checker/report/trace.hpp"

namespace warpcheck {

struct aba_finding {
  /// An access of the location. The first is the read, the last is the compare-exchange.
  struct event {
    std::uint32_t step = 0;
    lane_action action;
  };
  std::string variable;
  std::vector<event> biography;
};

/// Returns the ABA of an execution, in the order of the compare-exchanges. An operation is what a
/// lane does from a call of its object on. Without calls, it is all that the lane does. Under weak
/// memory, a change lies between the two accesses in coherence order, so it may have come before
/// the read.
std::vector<aba_finding> find_aba(const trace& t);

/// Returns a sentence: "ABA: `top` changed and changed back between …".
std::string text_of(const aba_finding& found, names& named);

}  // namespace warpcheck
