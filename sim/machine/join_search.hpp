// Promises that rest on several others at once: where one that rests on nothing that is open has to
// be made, because some lane comes to something by it together with one that is.
//
// Models: docs/memory-model.md, "Load buffering in the machine". Does not model: that the second
// one rests on a promise itself that nobody would make otherwise.
// Axioms: none; it is asked where bursts of promises are looked for (promises.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/machine.hpp"

namespace simt {

class machine::join_search {
 public:
  /// In `state` promises are open.
  join_search(machine& of, state_view state) : machine_(of), state_(state) {}

  /// Whether some other lane, alone, comes to something strong by reading both a promise that is
  /// open and `one`, which `lane` may promise: to a store, or to where it reads something else.
  bool finds(std::uint32_t lane, const promised_store& one);

 private:
  machine& machine_;
  state_view state_;

  [[nodiscard]] weak_state memory_of(state_view state) const;
  [[nodiscard]] std::vector<join_goal> goals();
  bool is_joined(const join_goal& goal, state_view after);
};

}  // namespace simt
