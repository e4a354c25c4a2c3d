// Lists the benchmarks that a program of hardware/ measures without scenarios, and their sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/measure/measure.hpp"
#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// A benchmark, with its default sizes.
struct program_benchmark {
  benchmark what;
  std::string name;  // name of the benchmark
  std::string file;  // name of the file in hardware/
  std::vector<std::string> subjects;
  std::vector<std::string> workloads;
  /// Several numbers if they are varied. Empty: they follow from the number of keys or operations.
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> threads;  // of each block
  /// Pairs or operations of a launch; several numbers if they are varied. Empty: there are none.
  std::vector<std::uint64_t> amounts;
  std::string amount_option;
  /// Buckets, entry points, keys, vertices or particles. Empty: there are none.
  std::vector<std::uint64_t> places;
  std::string place_option;
  std::uint64_t measurement::*place;
  /// The amounts are those of each block, which has one client.
  bool of_each_block = false;
};

/// Returns a benchmark by its name. Null: there is none.
const program_benchmark* program_benchmark_named(const std::string& name);

/// Returns all benchmarks.
const std::vector<program_benchmark>& program_benchmarks();

/// Returns operations or pairs of a launch, or of each block; 1 if there are none.
std::uint64_t amount_of(const measurement& grid, const measure_options& options,
                        const program_benchmark& of);

/// Returns the measurements that the options ask for, in the order of the papers. Throws
/// usage_error.
std::vector<measurement> grids_of(const measure_options& options, const program_benchmark& of);

/// Returns the program's options for one measurement, except for the trials and their deadline.
std::vector<std::string> program_options(const measurement& grid, const measure_options& options,
                                         const program_benchmark& of);

}  // namespace warpcheck
