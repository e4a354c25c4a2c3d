// Makes a violation of a run whose steps a person has chosen.
#pragma once

#include <cstddef>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// `so_far` is what `made` leads to, and shows a violation of this kind. A deadlock goes round in a
/// cycle if lanes can still step. The violation begins with the first `kept` of the choices.
violation violation_of(session& run, const trace& so_far, const std::vector<simt::choice>& made,
                       verdict kind, std::size_t kept = 0);

}  // namespace warpcheck
