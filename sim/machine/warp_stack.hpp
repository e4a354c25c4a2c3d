// The reconvergence state of a warp under the stack model, and the status of the grid.
//
// Models: pre-Volta reconvergence at immediate post-dominators, as docs/model.md says.
// Does not model: which side of a branch the hardware prefers (both orders are explored).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/automaton/stable_vector.hpp"
#include "sim/subject/subject.hpp"

namespace simt {

/// Lanes that diverged at one branch, or wait where they reconverge.
struct warp_frame {
  std::uint32_t block = no_block;      // where the lanes reconverge; no_block: never
  std::uint32_t arrived = 0;           // lanes parked there
  std::vector<std::uint32_t> pending;  // sides still to run, as rising masks
  friend auto operator<=>(const warp_frame&, const warp_frame&) = default;
};

struct warp_stack {
  std::uint32_t active = 0;
  std::vector<warp_frame> frames;  // the last one is the top
  friend auto operator<=>(const warp_stack&, const warp_stack&) = default;

  /// Whether no lane is active and more than one side could be.
  [[nodiscard]] bool awaits_choice() const {
    return active == 0 && !frames.empty() && frames.back().pending.size() > 1;
  }
  /// The lanes that wait at a reconvergence block.
  [[nodiscard]] std::uint32_t parked() const {
    std::uint32_t mask = 0;
    for (const warp_frame& f : frames) mask |= f.arrived;
    return mask;
  }
};

/// Gives equal stacks one number. For any number of threads: reading takes no lock.
class warp_stacks {
 public:
  std::uint32_t intern(const warp_stack& stack);
  [[nodiscard]] const warp_stack& operator[](std::uint32_t number) const {
    return *values_[number];
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t memory() const { return values_.size() * 128; }

 private:
  std::map<warp_stack, std::uint32_t> numbers_;  // nodes stay where they are
  stable_vector<const warp_stack*> values_;
  std::mutex changing_;
};

/// The part of a state that belongs to no lane and is not memory. It has resident blocks, arrivals
/// at numbered barriers, the state of the history monitor, and the number of the launch. If the
/// progress model asks, it also has the blocks that have taken a step.
struct grid_status {
  struct barrier {
    std::uint32_t block, id, expected, arrived;  // in warps
    std::uint32_t reduces;                       // a part of barrier_reduces, or 0
    friend auto operator<=>(const barrier&, const barrier&) = default;
  };
  /// A lane's progress at its cluster's barrier, where the barrier is called in two halves.
  enum cluster_half : std::uint8_t { no_half, has_arrived, may_pass };
  std::vector<std::uint8_t> started;  // by block
  std::vector<barrier> barriers;      // barriers with arrivals, sorted
  /// By lane its cluster_half, then by cluster the parity of its round. Empty if no lane has
  /// arrived and all parities are 0.
  std::vector<std::uint8_t> halves;
  std::uint32_t history = 0;  // the number of the monitor's state
  /// By block, whether progress models count it among those that have taken a step
  /// (machine::remembers_steps). Otherwise empty.
  std::vector<std::uint8_t> stepped;
  std::uint32_t launch = 0;  // the number of the launch
  bool is_over = false;      // the host starts no further launch
  friend auto operator<=>(const grid_status&, const grid_status&) = default;
};

/// Gives equal statuses one number. For any number of threads: reading takes no lock.
class grid_statuses {
 public:
  std::uint32_t intern(const grid_status& status);
  [[nodiscard]] const grid_status& operator[](std::uint32_t number) const {
    return *values_[number];
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t memory() const { return values_.size() * 128; }

 private:
  std::map<grid_status, std::uint32_t> numbers_;  // nodes stay where they are
  stable_vector<const grid_status*> values_;
  std::mutex changing_;
};

}  // namespace simt
