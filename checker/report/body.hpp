// Lists what the body of a subject consists of, as far as a search has seen it.
#pragma once

#include <string>
#include <vector>

#include "checker/report/names.hpp"

namespace warpcheck {

/// A place in the source that does something visible.
struct body_operation {
  source_place at;
  std::string text;    // "compare_exchange mutex"
  std::string access;  // "strong, relaxed, scope device", "weak"; empty if it is no access
};

/// A branch on which lanes of a warp may part.
struct branch_point {
  source_place at;
  source_place reconverges;  // unknown: the lanes meet when they exit
};

/// Returns operations in source order, those of the subject before those of its workload.
std::vector<body_operation> operations_of(session& run, names& named);
std::vector<branch_point> branches_of(session& run, names& named);

}  // namespace warpcheck
