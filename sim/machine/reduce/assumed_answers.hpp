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
  /// What a question has cost, for lanes that stand at one continuation.
  struct account {
    std::uint64_t spent = 0, spared = 0;
    friend bool operator==(const account&, const account&) = default;
  };
  /// Answers that no lane gets; and continuations at which no lane gets an unknown answer.
  boost::unordered_flat_set<std::pair<continuation, std::uint64_t>> never;
  boost::unordered_flat_set<continuation> no_other;
  /// Lanes that stand there are not worth the question.
  boost::unordered_flat_set<continuation> not_worth;
  boost::unordered_flat_map<continuation, account> accounts;

  [[nodiscard]] bool contradicts(continuation from, std::uint64_t answer) const {
    return no_other.contains(from) || never.contains({from, answer});
  }
  /// After a question about a lane at `from`: whether all of them have cost more than they spare.
  bool is_too_dear(continuation from, std::uint64_t work, bool spares) {
    // Work for one state that is spared, and for trying it.
    constexpr std::uint64_t price = 400, trial = 20'000;
    account& one = accounts[from];
    one.spent += work;
    if (spares) one.spared += price;
    return one.spent > trial + one.spared && not_worth.insert(from).second;
  }
};

}  // namespace simt
