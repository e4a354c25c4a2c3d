// Reports what a GPU did with litmus tests, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/hardware/gpu.hpp"
#include "litmus/gpu/judge.hpp"
#include "litmus/report/report.hpp"

namespace warpcheck {

/// What all tests of a run have in common.
struct litmus_setting {
  gpu device;
  std::string nvcc;  // nvcc's version
  std::string date;  // "2026-11-21"
  std::uint64_t instances = 0;
  std::uint64_t seed = 0;
  double time = 0;  // seconds
};

/// A test that was run. Its answer is the model's, without executions to show.
struct litmus_comparison {
  litmus::answered test;
  litmus::gpu::observation seen;
  litmus::gpu::judgement judged;
};

/// A test that was not run, and why.
struct skipped_litmus {
  std::string file;
  std::string reason;
};

struct litmus_hardware_results {
  std::vector<litmus_comparison> compared;
  std::vector<skipped_litmus> skipped;
  bool interrupted = false;
};

/// Returns "NVIDIA H200 (sm_90), driver 580.159.04, ...", and a blank line.
std::string heading(const litmus_setting& setting);

/// Returns a head line, a row for each outcome, and remarks.
std::string render(const litmus_comparison& one);

/// Returns the first line of render().
std::string headline(const litmus_comparison& one);

/// Returns the skipped tests, and counts of all tests.
std::string summary(const litmus_hardware_results& results);

nlohmann::ordered_json to_json(const litmus_setting& setting,
                               const litmus_hardware_results& results);

}  // namespace warpcheck
