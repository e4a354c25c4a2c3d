// What single runs are made with: a machine, a walker for one execution at a time, and a judge of
// dead states. There is one engine for memory in order, and one for weak memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "checker/explore/asked_in_time.hpp"
#include "checker/run/limits.hpp"
#include "checker/run/session.hpp"
#include "checker/search/dead_state.hpp"
#include "checker/search/weak_dead_states.hpp"
#include "sim/automaton/lane_automaton.hpp"
#include "sim/machine/walk/walker.hpp"
#include "sim/machine/weak/weak_walker.hpp"

namespace warpcheck {

class ordered_engine {
 public:
  static constexpr bool is_weak = false;
  using walker = simt::walker;
  using dead_states = warpcheck::dead_states;

  ordered_engine(session& run, const limits& bounds)
      : machine_(run.machine()), walk_(machine_), dead_(run, bounds) {}

  [[nodiscard]] simt::machine& machine() { return machine_; }
  [[nodiscard]] walker& walk() { return walk_; }
  [[nodiscard]] dead_states& dead() { return dead_; }
  /// The work of one step of a run. Other work is measured in such steps.
  [[nodiscard]] static std::uint64_t work_of_step() { return 1; }
  /// Steps between two looks at the clock.
  [[nodiscard]] static std::uint64_t clock_interval() { return std::uint64_t{1} << 16; }
  [[nodiscard]] std::uint64_t bytes() const { return machine_.memory(); }
  /// Call it between two runs: frees memory if there is much.
  void tidy() {}

 private:
  simt::machine& machine_;
  walker walk_;
  dead_states dead_;
};

/// An engine for weak memory. It has a machine of its own, and makes a new one if the machine
/// remembers too much: each step adds a memory.
class weak_engine {
 public:
  static constexpr bool is_weak = true;
  using walker = simt::weak_walker;
  using dead_states = weak_dead_states;

  weak_engine(session& run, const limits& bounds)
      : run_(run),
        bounds_(bounds),
        lanes_(run.lanes(), false),
        patience_(lanes_, bounds),
        parts_(std::make_unique<parts>(run, lanes_, bounds)) {}

  [[nodiscard]] simt::machine& machine() { return *parts_->machine; }
  [[nodiscard]] walker& walk() { return parts_->walk; }
  [[nodiscard]] dead_states& dead() { return parts_->dead; }
  [[nodiscard]] std::uint64_t work_of_step() const {
    return weak_dead_states::work_of_step(run_.setup().grid.threads());
  }
  [[nodiscard]] std::uint64_t clock_interval() const {
    return std::clamp<std::uint64_t>(work_between_looks / work_of_step(), 1, 64);
  }
  [[nodiscard]] std::uint64_t bytes() const { return parts_->machine->memory(); }
  void tidy() {
    const std::uint64_t most = std::min(most_bytes, bounds_.max_memory.value_or(most_bytes) / 2);
    if (bytes() > most) parts_ = std::make_unique<parts>(run_, lanes_, bounds_);
  }

 private:
  static constexpr std::uint64_t work_between_looks = 500'000;
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

  struct parts {
    simt::machine_stores stores;
    std::unique_ptr<simt::machine> machine;
    walker walk;
    dead_states dead;
    parts(const session& run, simt::lane_automaton& lanes, const limits& bounds)
        : stores(lanes),
          machine(simt::make_machine(run.setup(), stores)),
          walk(*machine),
          dead(run, stores, *machine, bounds) {}
  };

  const session& run_;
  const limits& bounds_;
  simt::lane_automaton lanes_;
  asked_in_time patience_;
  std::unique_ptr<parts> parts_;
};

}  // namespace warpcheck
