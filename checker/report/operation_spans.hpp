// Says which lanes are inside an operation at the end of an execution, or in its cycle.
//
// An operation is the span from a call to its return. Without such events, it is a client's body.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct operation_spans {
  std::vector<std::uint32_t> stepping;    // lanes that take steps in the cycle
  std::vector<std::uint32_t> completing;  // lanes whose operations complete in the cycle
  /// Lanes with an operation that is pending throughout the cycle, and those of them that take
  /// steps there. Under `stack`, it is enough that their warp takes steps.
  std::vector<std::uint32_t> never_completing, waiting;
  std::uint32_t units = 0;  // units of fairness that take steps in the cycle
  /// Without a cycle: lanes with a pending operation that can take no step at the end.
  std::vector<std::uint32_t> blocked;
  source_place blocked_at;  // where the first of them stands
  // By lane: the operation that is pending at the end.
  std::map<std::uint32_t, std::uint32_t> pending;
  bool has_events = false;

  /// Returns the name of the operation that is pending.
  [[nodiscard]] std::string operation(std::uint32_t lane, const names& named) const;
};

operation_spans spans_of(session& run, names& named, const trace& t);

}  // namespace warpcheck
