// Decides when, in a burst of promises (promises.cpp), a lane may make a promise that rests on none
// of the open ones. A later promise can then rest on several at once.
//
// Models: docs/memory-model.md, "Load buffering in the machine". The promises that a promise rests
// on can be made in such an order that each open one leads its reader on, to where it reads more.
// Axioms: none of its own.
#pragma once

#include <cstdint>
#include <span>

#include "sim/machine/promises/early_stores.hpp"

namespace simt {

class join_search {
 public:
  /// `state` has open promises.
  join_search(early_stores& of, state_view state)
      : early_(of), machine_(of.machine_), memory_(of.memory_), state_(state) {}

  /// Whether `lane` may promise `one`, though it rests on none of the open promises. Each of these
  /// has to lead some other lane, alone, to where it reads more. So does `one`, or it has to lead a
  /// lane to a store.
  bool may_begin(std::uint32_t lane, const promised_store& one);

 private:
  early_stores& early_;
  machine& machine_;
  weak_memory& memory_;
  state_view state_;

  [[nodiscard]] weak_state memory_of(state_view state) const;
  bool all_lead_on();
  bool leads_on(std::uint32_t lane, const promised_store& one);
  template <class F>
  bool brings_about(std::uint32_t owner, std::uint32_t offset, state_view before, state_view after,
                    F f);
  /// Whether a lane that reads another message than one between these, and then goes on in the same
  /// way, may know something about memory that hinders it later.
  static bool may_replace(std::span<const message> older, std::span<const message> newer);
};

}  // namespace simt
