// The assumptions behind conclusions about lanes that stand still (reach_without.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/automaton/lane_program.hpp"

namespace simt {

/// Assumptions about continuations, by their numbers in the lane_program. The sets only grow, until
/// classes are made anew.
struct assumed_answers {
  /// Accesses of one sort in one basic block of the program. Lanes that stand there are similar
  /// enough to share an account.
  using access_kind = std::uint64_t;
  static access_kind kind_of(const operation& op) {
    return std::uint64_t{op.block} << 8 | static_cast<std::uint8_t>(op.memory);
  }
  /// The cost of questions about lanes that stand at such an access, and the work that the answers
  /// have saved. Both in steps of lanes.
  struct account {
    std::uint64_t spent = 0, spared = 0;
    friend bool operator==(const account&, const account&) = default;
  };
  /// Answers that no lane gets.
  boost::unordered_flat_set<std::pair<continuation, std::uint64_t>> never;
  boost::unordered_flat_set<continuation> no_other;
  /// Kinds of accesses that are not worth the question.
  boost::unordered_flat_set<access_kind> not_worth;
  boost::unordered_flat_map<access_kind, account> accounts;

  [[nodiscard]] bool contradicts(continuation from, std::uint64_t answer) const;
  /// Adds the cost of a question. Returns whether questions about this kind now cost more than they
  /// save, by more than `trial`.
  bool is_too_dear(access_kind kind, const account& question, std::uint64_t trial);
};

}  // namespace simt
