// What the executions of a litmus test come to: all that the axioms allow, and those of them that
// carry out instructions in program order, which is what is left without load buffering.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "litmus/unfolding.hpp"

namespace naive {

struct executions_answer {
  std::set<std::vector<litmus::value>> outcomes;  // of the variables observed
  bool race = false;
};

struct executions_result {
  executions_answer all;
  /// Those in which nobody is told by what is behind a barrier that waits for him (the axioms allow
  /// that where the two might have met, and do not: their order is nothing then), and no exchange
  /// has to be seen before what it reads is there.
  executions_answer operational;
  executions_answer in_order;
};

struct executions_options {
  /// Which executions are meant; empty: all.
  std::function<bool(const litmus::unfolding&)> counts;
  /// Loads that are in a race with whatever a store is in one with; empty: none.
  std::function<bool(const litmus::execution&, litmus::event_id)> conflicts_as_store;
  /// Barriers tell nothing of memory; but nobody synchronizes with what comes behind one before he
  /// comes to it.
  bool barriers_are_votes = false;
};

/// Of loops, those that change nothing, as in spinning (docs/memory-model.md, "Loops").
executions_result executions_of(const litmus::program& p,
                                const std::vector<litmus::variable>& observed,
                                const executions_options& options = {});

}  // namespace naive
