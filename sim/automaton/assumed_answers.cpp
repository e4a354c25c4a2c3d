// Checks new answers against assumptions, and decides which questions are too expensive.
#include "sim/automaton/assumed_answers.hpp"

namespace simt {

bool assumed_answers::contradicts(continuation from, std::uint64_t answer) const {
  return no_other.contains(from) || never.contains({from, answer});
}

bool assumed_answers::is_too_dear(access_kind kind, const account& question, std::uint64_t trial) {
  account& all = accounts[kind];
  all.spent += question.spent;
  all.spared += question.spared;
  return all.spent > trial + all.spared && not_worth.insert(kind).second;
}

}  // namespace simt
