// warpcheck hardware, and warpcheck litmus --hardware: what a real GPU does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/console/exit_status.hpp"
#include "checker/console/litmus_options.hpp"
#include "sim/model/model.hpp"

namespace warpcheck {

struct hardware_options {
  std::vector<std::filesystem::path> scenarios;
  bool json = false;
  std::uint64_t trials = 1000;                       // launches of each run
  std::optional<std::uint64_t> seed;                 // of what is left to chance, 1 or more
  std::vector<std::uint64_t> scale;                  // larger grids: so many times
  std::optional<double> model_time;                  // seconds, for exploring the model of each run
  std::optional<double> time;                        // seconds, for each launch
  std::optional<simt::reconvergence> reconvergence;  // of runs; nothing: both
  std::optional<std::filesystem::path> ptx;          // made by --prepare; nothing: compiled here
  std::optional<std::filesystem::path> prepare;      // only make it, there
};

exit_status hardware(const hardware_options& options);
exit_status litmus_on_hardware(const litmus_options& options);

}  // namespace warpcheck
