// The comparison of scenarios with a GPU, as a table and as JSON.
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

/// What all of a comparison has in common.
struct hardware_setting {
  gpu device;
  std::string nvcc;  // its version
  std::string date;  // "2026-11-21"
  std::uint64_t trials = 0;
  double deadline = 0;     // seconds
  std::uint64_t seed = 1;  // of the first launch of each run
};

/// For `date`.
std::string today();

/// The trials of one program.
struct arm_trials {
  arm_order arms;
  trials seen;
};

/// A run of a scenario that was made on the GPU too.
struct comparison {
  std::string file;
  scenario subject;
  run_settings settings;
  std::uint64_t scale = 1;  // so many times as large as the scenario's grid
  run_result model;
  prediction expected;              // from that, and in a larger grid from that of the scenario's
  trials seen;                      // all of them
  std::vector<arm_trials> by_arms;  // under stack
  conclusion end = conclusion::no_result;
  std::string fingerprint;  // of the subject's source
};

/// One that was not, and why.
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

/// "NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, nvcc 13.0.88, 2026-11-21: ..."
std::string heading(const hardware_setting& setting);

/// A row for each run, under stack for each order of arms; what stands out is explained below them.
std::string hardware_table(const hardware_results& results, bool colour);

nlohmann::ordered_json to_json(const hardware_setting& setting, const hardware_results& results);

}  // namespace warpcheck
