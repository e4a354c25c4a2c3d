// Finds values that are not known exactly, and what of a kernel has no translation at all.
//
// An approximation, or a clock, gives an opaque value. It does no harm if no branch, no address and
// no synchronization depends on it: whatever it is, the kernel does the same. If they depend on it
// by comparisons alone, both results of each such comparison are explored. A branch whose sides
// nobody can tell apart depends on nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/ptx/emit/layout.hpp"
#include "sim/ptx/unsupported.hpp"

namespace simt::ptx {

struct opaque_values {
  std::map<const function*, std::set<std::size_t>> instructions;
  std::map<const function*, std::set<std::size_t>> chosen;  // comparisons with either result
  /// Branches that always go one way, and whether that is the label's.
  std::map<const function*, std::map<std::size_t, bool>> settled;
  std::vector<unsupported_use> unsupported;
  std::vector<unsupported_use> assumed;
  std::vector<unsupported_use> kept;  // whose values may lie in global memory
};

opaque_values find_opaque(const layout& memory);

/// The text without line breaks and trigraphs, for a comment.
std::string on_one_comment_line(std::string text);

}  // namespace simt::ptx
