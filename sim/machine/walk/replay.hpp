// Follows the choices of an execution, one after another.
#pragma once

#include "sim/machine/machine.hpp"

namespace simt {

struct choice_name;

/// An execution that is followed from the machine's first state. A step that ends the run leaves
/// the state as it is.
class replay {
 public:
  explicit replay(machine& of) : machine_(of), state_(of.initial()) {}

  /// The state before the next choice.
  [[nodiscard]] const state_words& state() const { return state_; }
  /// What the machine listed for the choice of the last find().
  [[nodiscard]] const successor_list& list() const { return list_; }
  /// Returns the transition of `by`, until the next call of a member. Null: `by` cannot be chosen
  /// here, or the machine has news, which makes the execution void.
  const transition* find(const choice& by) {
    machine_.steps_by(state_, by, list_);
    return machine_.has_news() ? nullptr : list_.find(by);
  }
  /// Returns the transition that the name means, or null, like find() of a choice.
  const transition* find(const choice_name& name);
  /// The state after `t`, which find() returned and which does not end the run.
  [[nodiscard]] state_view after(const transition& t) const {
    return list_.state(t, machine_.words());
  }
  /// Goes on to after(t).
  void take(const transition& t) {
    const state_view next = after(t);
    state_.assign(next.begin(), next.end());
  }
  /// Goes on by `by`. Returns whether that is possible, and does not end the run.
  bool follow(const choice& by) {
    const transition* const t = find(by);
    if (t == nullptr || t->ends != ending::none) return false;
    take(*t);
    return true;
  }

 private:
  machine& machine_;
  state_words state_;
  successor_list list_;
};

}  // namespace simt
