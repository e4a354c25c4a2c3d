// What weak memory has to know of each location, learnt from the accesses that lanes come to.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/lane/operation.hpp"
#include "sim/machine/memory/operation_traits.hpp"
#include "sim/machine/step_list.hpp"

namespace simt {

class machine;

/// Reports uses of locations to memory, and records news where memory did not know them.
class location_learner {
 public:
  explicit location_learner(machine& of) : machine_(of) {}

  /// Learns from an access. False: the access is news, and the present list is cut short.
  bool learn_access(std::uint32_t lane, const operation& op, const operation_traits& t);
  /// A shared location becomes contested if `lane` stands at an access to it while other lanes may
  /// reach a conflicting access: docs/reductions.md, "Barriers keep accesses apart".
  void learn_contested(state_view state, std::uint32_t lane, const operation_traits& t);
  /// Extends what is known about accesses to all accesses that renaming can turn them into.
  void rename_facts();

 private:
  machine& machine_;
  std::vector<char> keeps_place_;  // by lane: no other lane may ever trade places with it

  [[nodiscard]] bool is_agent(std::uint32_t lane) const;
  bool learn_use(std::uint32_t lane, const operation& op, const operation_traits& t);
  void tell_of_location();
};

}  // namespace simt
