// Promises that rest on several others at once: when one may be made, in a burst of promises
// (promises.cpp), that rests on nothing that is open.
//
// Models: docs/memory-model.md, "Load buffering in the machine". What a promise rests on can be
// made in such an order that all that is open leads on, to where its reader reads more. Axioms:
// none of its own.
#pragma once

#include <cstdint>
#include <span>

#include "sim/machine/promises/early_stores.hpp"

namespace simt {

class join_search {
 public:
  /// In `state` promises are open.
  join_search(early_stores& of, state_view state)
      : early_(of), machine_(of.machine_), memory_(of.memory_), state_(state) {}

  /// Whether `lane` may promise `one`, though it rests on none of those that are open: each of
  /// these leads some other lane, alone, to where it reads more, and so does `one`, or to a store.
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
  /// Whether a lane that reads another message than one between these, and goes on as with that,
  /// may know something of memory then that hinders it.
  static bool may_replace(std::span<const message> older, std::span<const message> newer);
};

}  // namespace simt
