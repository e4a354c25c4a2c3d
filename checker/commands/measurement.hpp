// What was measured of subjects on a GPU: a value, and how it looks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "checker/commands/hardware_conclusion.hpp"
#include "checker/commands/hardware_gpu.hpp"

namespace warpcheck {

/// A subject on one grid. Each launch was checked.
struct measurement {
  std::string subject;
  std::uint64_t blocks = 1, threads = 1;  // per block
  std::uint64_t repeat = 1;               // critical sections of each thread
  std::vector<double> seconds;            // of each launch; none where one went wrong
  trial_outcome outcome = trial_outcome::no_result;
  std::string message;
};

/// Of all launches. Quantiles are interpolated (type 7 of Hyndman & Fan).
struct spread {
  double least = 0, low = 0, median = 0, high = 0, most = 0;  // quartiles and ends, seconds
};

/// Empty where there are no times.
std::optional<spread> spread_of(const measurement& one);

/// What the runner printed, with its exit status.
measurement read_measurement(measurement which, const std::string& printed, int status);

/// What all measurements have in common.
struct measurement_setting {
  gpu device;
  std::string nvcc;  // its version
  std::string date;
  std::uint64_t increments = 0;  // of the counter, in each launch
  std::uint64_t trials = 0;      // launches that were measured
};

/// Medians in milliseconds: a row for each subject and number of blocks, a column for each number
/// of threads; then what went wrong.
std::string measurement_table(const measurement_setting& setting,
                              const std::vector<measurement>& all);

/// With a line of names; seconds.
std::string to_csv(const std::vector<measurement>& all);

nlohmann::ordered_json to_json(const measurement_setting& setting,
                               const std::vector<measurement>& all);

/// Grote, figures 5.1 to 5.4: the time over threads per block, a line for each number of blocks,
/// and the time of a single thread. `all` may have other subjects.
std::string measurement_plot(const measurement_setting& setting,
                             const std::vector<measurement>& all, const std::string& subject);

}  // namespace warpcheck
