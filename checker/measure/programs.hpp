// The benchmarks that a program of hardware/ measures, without scenarios: what there is to measure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/measure/measure.hpp"
#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// A benchmark, with what holds where options name nothing.
struct program_benchmark {
  benchmark what;
  std::string name;  // the benchmark's
  std::string file;  // of hardware/
  std::vector<std::string> subjects;
  std::vector<std::string> workloads;
  /// More than one number where they are varied. Empty: by the number of keys or operations.
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> threads;  // of each block
  /// Pairs or operations of a launch; more than one number where it is what is varied. Empty: there
  /// are none.
  std::vector<std::uint64_t> amounts;
  std::string amount_option;
  /// Buckets, entry points, keys, vertices or particles. Empty: there are none.
  std::vector<std::uint64_t> places;
  std::string place_option;
  std::uint64_t measurement::*place;
  /// The amounts are of each block, which has one client.
  bool of_each_block = false;
};

/// Null where there is no such benchmark.
const program_benchmark* program_benchmark_named(const std::string& name);

/// All of them.
const std::vector<program_benchmark>& program_benchmarks();

/// Operations or pairs of a launch, or of each block; 1 where there are none.
std::uint64_t amount_of(const measurement& grid, const measure_options& options,
                        const program_benchmark& of);

/// What the options ask for, in the order of the papers. Throws usage_error.
std::vector<measurement> grids_of(const measure_options& options, const program_benchmark& of);

/// The program's options for one of them, but for the trials and their deadline.
std::vector<std::string> program_options(const measurement& grid, const measure_options& options,
                                         const program_benchmark& of);

}  // namespace warpcheck
