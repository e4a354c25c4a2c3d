// The command warpcheck measure: how fast a GPU is with locks, barriers, semaphores and accesses to
// memory.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/console/exit_status.hpp"

namespace warpcheck {

struct measure_options {
  std::vector<std::filesystem::path> scenarios;  // files, and folders of them
  std::string benchmark = "counter";             // or another name that --help lists
  std::vector<std::uint64_t> blocks;             // grids; empty: the benchmark's
  std::vector<std::uint64_t> threads;            // per block; empty: the benchmark's
  std::uint64_t increments = 32768;              // increments of each launch (counter)
  // Of each block, or of a launch; empty: the benchmark's.
  std::vector<std::uint64_t> operations;
  std::optional<std::uint64_t> pairs;       // pairs of each launch (table, list)
  std::vector<std::uint64_t> buckets;       // buckets of a table; empty: the benchmark's
  std::vector<std::uint64_t> entry_points;  // entry points of a list; empty: the benchmark's
  // Keys to sort, or different keys; empty: the benchmark's.
  std::vector<std::uint64_t> keys;
  // Lengths below which GPU-Quicksort sorts by bitonic sort; empty: the program's.
  std::vector<std::uint64_t> bitonic_below;
  std::vector<std::uint64_t> vertices;   // vertices of a network; empty: the benchmark's
  std::vector<std::uint64_t> particles;  // particles of an octree; empty: the benchmark's
  std::vector<std::string> subjects;     // of a benchmark without scenarios, or of a file
  // Workloads of a benchmark without scenarios; empty: all.
  std::vector<std::string> workloads;
  std::uint64_t trials = 10;  // launches of each grid
  double time = 10;           // seconds, for each launch
  bool json = false;
  std::optional<std::filesystem::path> csv;   // file to write
  std::optional<std::filesystem::path> svg;   // folder to write plots to
  std::optional<std::filesystem::path> from;  // file to plot, in place of measuring
  std::string gpu;                            // name of the GPU that was measured, for titles
};

/// The values of --benchmark.
inline constexpr std::array<std::string_view, 16> benchmark_names{
    "counter", "blocks", "accesses",        "table",     "list", "sorting",
    "sets",    "queues", "graphs",          "octree",    "stm",  "deques",
    "move",    "sums",   "priority_queues", "work_items"};

/// Returns the operations of each block. Throws usage_error if more than one number is given.
std::uint64_t block_operations(const measure_options& options);

exit_status measure(const measure_options& options);
exit_status measure_accesses(const measure_options& options);

/// Whether this is the name of a benchmark that a program measures without scenarios.
bool is_program_benchmark(const std::string& name);
exit_status measure_structures(const measure_options& options);

exit_status measure_from(const measure_options& options);

}  // namespace warpcheck
