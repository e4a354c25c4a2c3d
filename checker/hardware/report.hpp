// Reports the comparison of scenarios with a GPU, as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/hardware/conclusion.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/stack.hpp"
#include "checker/hardware/trial.hpp"
#include "checker/run/result.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// What all parts of a comparison have in common.
struct hardware_setting {
  gpu device;
  std::string nvcc;  // nvcc's version
  std::string date;  // "2026-11-21"
  std::uint64_t trials = 0;
  double deadline = 0;     // seconds
  std::uint64_t seed = 1;  // seed of the first launch of each run
};

/// Returns today's date for the member `date`.
std::string today();

/// The trials of one program.
struct arm_trials {
  arm_order arms;
  trials seen;
};

/// A run of a scenario that was also made on the GPU.
struct comparison {
  std::string file;
  scenario subject;
  run_settings settings;
  std::uint64_t scale = 1;  // factor of the grid in relation to the scenario's
  run_result model;
  // By that; for a larger grid, also by the model of the scenario's grid.
  prediction expected;
  trials seen;                      // the trials of all programs
  std::vector<arm_trials> by_arms;  // under stack
  conclusion end = conclusion::no_result;
  std::string fingerprint;  // fingerprint of the subject's source
};

/// A run that was not made on the GPU, and why.
struct skipped_run {
  std::string file;
  std::string title;
  std::string model;  // "[its, sc, fair, resident 1]"; empty: the whole scenario
  std::string reason;
};

struct hardware_results {
  std::vector<comparison> compared;
  std::vector<skipped_run> skipped;
  std::uint64_t refused = 0;  // scenarios that could not be run; their messages are on stderr
  bool interrupted = false;
};

/// Returns "NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, nvcc 13.0.88, 2026-11-21: ...".
std::string heading(const hardware_setting& setting);

/// Returns a row for each run; under stack, a row for each order of arms. Explains unusual rows
/// below them.
std::string hardware_table(const hardware_results& results, bool colour);

nlohmann::ordered_json to_json(const hardware_setting& setting, const hardware_results& results);

}  // namespace warpcheck
