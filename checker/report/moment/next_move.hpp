// Describes what a choice would do next, in the words of a table.
#pragma once

#include <string>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct next_move {
  std::string who;     // the lanes, "w0.l0" or "w0.l0–l3"
  std::string text;    // "CAS mutex → 0"
  std::string memory;  // "mutex  0 → 1"; empty: nothing changes
  std::string source;  // "tas.hpp:10 (lock)"; empty: unknown
};

/// `by` must be possible after `so_far`.
next_move next_move_of(session& run, names& named, const trace& so_far, const simt::choice& by);

}  // namespace warpcheck
