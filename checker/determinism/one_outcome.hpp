// What a kernel leaves in its memory must not depend on the schedule: the memory that one run
// leaves, with which the others are compared.
//
// That one run is fixed before anything is explored. So "ends alike" is a check of a final memory
// as a subject's own check is, and each reduction keeps what such checks say (docs/reductions.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class one_outcome {
 public:
  /// Carries out the run in which each lane in its turn goes as far as it can, under `sc`. `names`:
  /// of buffers and variables; empty: all. Throws usage_error where there is none of a name, or the
  /// run has no end in sight.
  one_outcome(const scenario& what, const simt::machine_setup& setup, simt::lane_program& program,
              const std::vector<std::string>& names);

  /// What is different in that final memory; nothing: they are alike, or that run failed, which
  /// the exploration finds by itself.
  [[nodiscard]] std::optional<std::string> difference(std::span<const std::uint8_t> image) const;

 private:
  struct compared {
    std::string name;
    std::uint64_t offset = 0, size = 0;
    std::string element;  // PTX's name of its type
  };
  std::vector<compared> places_;
  std::vector<std::uint8_t> expected_;  // empty: that run failed
};

}  // namespace warpcheck
