// The machine with Independent Thread Scheduling. See its_machine.cpp.
#pragma once

#include "sim/machine/machine.hpp"

namespace simt {

class its_machine final : public machine {
 public:
  its_machine(machine_setup setup, machine_stores& stores, machine_reductions reduce = {});

  state_words initial() override;
  bool accesses(state_view state, std::vector<std::uint32_t>& lanes) const override;

  /// Converts a state of a stack machine: keeps lanes, memory and barriers, and drops the stacks.
  state_words adopt(state_view state);

 private:
  void list_steps(state_view state, successor_list& out) override;
  [[nodiscard]] bool awaits_choice(state_view state) const override {
    return awaits_dispatch(state);
  }
  [[nodiscard]] std::uint32_t front(state_view, std::uint32_t) const override { return 0; }
  void settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) override;
  void set_out(std::span<std::uint32_t> words) override;
  void collective_steps(state_view state, std::uint32_t warp, successor_list& out) override;
};

}  // namespace simt
