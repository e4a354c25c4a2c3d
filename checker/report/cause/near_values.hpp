// Finds numbers that a lane may compare with what it reads: in the code around it, and in its
// values.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/run/session.hpp"
#include "sim/lane/lane_runner.hpp"

namespace warpcheck {

/// Returns the immediate operands in the code around `pc`, nearest first. `pc` lies in a function
/// of the subject. Some results are wrong: the search takes what looks like an instruction with
/// such an operand.
std::vector<std::uint64_t> constants_near(const simt::subject_library& library, std::uint64_t pc);

/// Runs the C++ of lanes again, to look at their registers and at their stack.
class lane_locals {
 public:
  explicit lane_locals(session& run) : run_(run) {}

  /// Returns what a lane at `c` holds, in pieces of `size` bytes: registers first, then the
  /// functions that it is in, innermost first. Empty: `c` is too far from where lanes start.
  std::vector<std::uint64_t> at(simt::continuation c, std::uint8_t size);

 private:
  session& run_;
  std::optional<simt::lane_runner> runner_;

  struct arrival {
    simt::continuation from;
    std::uint64_t answer;
  };
  struct way {
    std::uint32_t launch = 0;
    std::vector<arrival> answers;
  };
  std::vector<simt::continuation> starts_;  // by launch
  std::unordered_map<simt::continuation, arrival> met_;
  std::size_t work_left_ = 20'000;  // answers that lanes are given again

  void walk();
  [[nodiscard]] std::optional<way> way_to(simt::continuation c) const;
  simt::lane_image image_at_end(const way& of);
};

}  // namespace warpcheck
