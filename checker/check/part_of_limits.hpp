// Makes a part of a run's limits, for work besides exploring.
#pragma once

#include <algorithm>
#include <chrono>

#include "checker/run/limits.hpp"

namespace warpcheck {

/// Allows so many seconds from now on, as far as `bounds` leave them. That work saves and shows
/// nothing.
inline limits part_of(const limits& bounds, double seconds) {
  limits part = bounds;
  part.start = std::chrono::steady_clock::now();
  part.time = seconds;
  if (bounds.time) part.time = std::min(*bounds.time - bounds.spent - bounds.seconds(), seconds);
  part.spent = 0;
  part.grace = 0.25;
  part.progress = nullptr;
  part.files = {};
  return part;
}

}  // namespace warpcheck
