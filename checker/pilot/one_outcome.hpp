// Checks that the memory a kernel leaves does not depend on the schedule. It carries out one run,
// and compares what other runs leave with the memory of that run.
//
// That one run is fixed before anything is explored. So "ends alike" is a check of a final memory,
// like a subject's own check, and each reduction keeps what such checks say (docs/reductions.md).
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
  /// Carries out the run in which each lane in its turn goes as far as it can, under `sc`. `names`
  /// are those of buffers and variables; empty: all. Throws usage_error if there is nothing with
  /// such a name, or the run has no end in sight.
  one_outcome(const scenario& what, const simt::machine_setup& setup, simt::lane_program& program,
              const std::vector<std::string>& names);

  /// Returns what differs in that final memory. Nothing: they are alike, or the one run failed,
  /// which the exploration finds by itself.
  [[nodiscard]] std::optional<std::string> difference(std::span<const std::uint8_t> image) const;

 private:
  struct compared {
    std::string name;
    std::uint64_t offset = 0, size = 0;
    std::string element;  // PTX's name of the element's type
  };
  std::vector<compared> places_;
  std::vector<std::uint8_t> expected_;  // empty: the one run failed
};

}  // namespace warpcheck
