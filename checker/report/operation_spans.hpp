// Who is inside an operation where an execution ends, or in its cycle.
//
// An operation is the span from a call to its return; where there are no such events, a client's
// body.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct operation_spans {
  std::vector<std::uint32_t> stepping;    // lanes that take steps in the cycle
  std::vector<std::uint32_t> completing;  // whose operations complete in it
  /// Lanes with an operation that is pending throughout the cycle; and those of them which (under
  /// `stack`, whose warps) take steps there.
  std::vector<std::uint32_t> never_completing, waiting;
  std::uint32_t units = 0;  // of fairness, that take steps in the cycle
  /// Without a cycle: lanes with a pending operation that can take no step at the end.
  std::vector<std::uint32_t> blocked;
  source_place blocked_at;                         // the first of them
  std::map<std::uint32_t, std::uint32_t> pending;  // by lane: which operation, at the end
  bool has_events = false;

  /// The name of the operation that is pending.
  [[nodiscard]] std::string operation(std::uint32_t lane, const names& named) const;
};

operation_spans spans_of(session& run, names& named, const trace& t);

}  // namespace warpcheck
