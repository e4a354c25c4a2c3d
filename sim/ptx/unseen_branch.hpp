// Finds branches whose sides nobody can tell apart.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// The sides of a branch meet again, and neither has done anything but sleep and compute registers
/// that nobody reads behind the meeting.
struct unseen_branch {
  std::set<std::size_t> sides;  // indices of the instructions on either side
  bool is_taken = false;        // the side that sleeps less: that of the label
};

/// Nothing: the sides may differ in what they do, or may never meet. Sides that name a register of
/// `may_be_undefined` differ: using an undefined value is a violation.
[[nodiscard]] std::optional<unseen_branch> find_unseen(
    const function& f, std::size_t branch, const std::set<std::string>& may_be_undefined);

}  // namespace simt::ptx
