// The machine with pre-Volta reconvergence. See stack_machine.cpp.
#pragma once

#include "sim/machine/machine.hpp"

namespace simt {

class stack_machine final : public machine {
 public:
  stack_machine(machine_setup setup, machine_stores& stores, machine_reductions reduce = {});

  state_words initial() override;
  bool accesses(state_view state, std::vector<std::uint32_t>& lanes) const override;

 private:
  void list_steps(state_view state, successor_list& out) override;
  [[nodiscard]] bool awaits_choice(state_view state) const override;
  [[nodiscard]] std::uint32_t front(state_view state, std::uint32_t warp) const override;
  void settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) override;
  void set_out(std::span<std::uint32_t> words) override;
  void collective_steps(state_view state, std::uint32_t warp, successor_list& out) override;
  void warp_steps(state_view state, std::uint32_t warp, successor_list& out, bool& at_barrier);
  bool enter(std::span<std::uint32_t> words, std::uint32_t warp, std::uint32_t lanes);
  bool branch(std::span<std::uint32_t> words, std::uint32_t warp, warp_stack& stack);
};

}  // namespace simt
