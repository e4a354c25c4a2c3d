// The commands warpcheck hardware and warpcheck litmus --hardware, which run on a real GPU.
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
  std::vector<std::filesystem::path> scenarios;  // and counterexamples (.json)
  bool trust = false;                            // run sources of counterexamples wherever they lie
  bool json = false;
  std::uint64_t trials = 1000;                       // launches of each run
  std::optional<std::uint64_t> seed;                 // seed of random choices, 1 or more
  std::vector<std::uint64_t> scale;                  // factors of larger grids
  std::optional<double> model_time;                  // seconds, for exploring the model of each run
  std::optional<double> time;                        // seconds, for each launch
  std::optional<simt::reconvergence> reconvergence;  // of the runs; nothing: both
  // A folder made by --prepare; nothing: compiled here.
  std::optional<std::filesystem::path> ptx;
  std::optional<std::filesystem::path> prepare;  // only make such a folder
};

exit_status hardware(const hardware_options& options);
exit_status litmus_on_hardware(const litmus_options& options);

}  // namespace warpcheck
