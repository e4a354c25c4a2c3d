// The assumptions behind conclusions about lanes that stand still (reach_without.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/lane_program.hpp"

namespace simt {

/// Of continuations, by their numbers in the lane_program. All grow only, until classes are made
/// anew.
struct assumed_answers {
  /// Accesses of one sort in one basic block of the program: lanes that stand there are alike
  /// enough to share an account.
  using access_kind = std::uint64_t;
  static access_kind kind_of(const operation& op) {
    return std::uint64_t{op.block} << 8 | static_cast<std::uint8_t>(op.memory);
  }
  /// What questions about lanes that stand at such an access have cost, and the work for states
  /// that they have spared, in steps of lanes.
  struct account {
    std::uint64_t spent = 0, spared = 0;
    friend bool operator==(const account&, const account&) = default;
  };
  /// Answers that no lane gets; and continuations at which no lane gets an unknown answer.
  boost::unordered_flat_set<std::pair<continuation, std::uint64_t>> never;
  boost::unordered_flat_set<continuation> no_other;
  /// Lanes that stand at such an access are not worth the question.
  boost::unordered_flat_set<access_kind> not_worth;
  boost::unordered_flat_map<access_kind, account> accounts;

  [[nodiscard]] bool contradicts(continuation from, std::uint64_t answer) const;
  /// After a question about a lane that stands at such an access: whether all of them have cost
  /// more than they spare, and `trial` besides.
  bool is_too_dear(access_kind kind, const account& question, std::uint64_t trial);
};

}  // namespace simt
