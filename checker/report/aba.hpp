// ABA: a compare-exchange that succeeds although its location changed, and changed back, since the
// operation that carries it out has read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/names.hpp"
#include "checker/report/trace.hpp"

namespace warpcheck {

struct aba_finding {
  /// Who did what to the location; the first one is the read, the last one the compare-exchange.
  struct event {
    std::uint32_t step = 0;
    lane_action action;
  };
  std::string variable;
  std::vector<event> biography;
};

/// Those in an execution, in the order of their compare-exchanges. An operation is what a lane does
/// from a call of its object on; where there are none, all that it does. Where memory is weak, a
/// change is between the two if it is so in coherence order: it may have come before the read.
std::vector<aba_finding> find_aba(const trace& t);

/// In a sentence: "ABA: `top` changed and changed back between …".
std::string text_of(const aba_finding& found, names& named);

}  // namespace warpcheck
