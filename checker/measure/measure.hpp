// warpcheck measure: how fast a GPU is with locks, barriers, semaphores and accesses to memory.
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
  std::string benchmark = "counter";             // or another of --help
  std::vector<std::uint64_t> blocks;             // grids; empty: the benchmark's
  std::vector<std::uint64_t> threads;            // per block; empty: the benchmark's
  std::uint64_t increments = 32768;              // of each launch (counter)
  std::vector<std::uint64_t> operations;         // of each block, or of a launch; empty: likewise
  std::optional<std::uint64_t> pairs;            // of each launch (table, list)
  std::vector<std::uint64_t> buckets;            // of a table; empty: the benchmark's
  std::vector<std::uint64_t> entry_points;       // of a list; empty: the benchmark's
  std::vector<std::uint64_t> keys;               // sorted, or different ones; empty: likewise
  std::vector<std::uint64_t> vertices;           // of a network; empty: likewise
  std::vector<std::uint64_t> particles;          // of an octree; empty: likewise
  std::vector<std::string> subjects;             // of a benchmark without scenarios, or of a file
  std::vector<std::string> workloads;            // of such a benchmark; empty: all
  std::uint64_t trials = 10;                     // launches of each grid
  double time = 10;                              // seconds, for each launch
  bool json = false;
  std::optional<std::filesystem::path> csv;   // file to write
  std::optional<std::filesystem::path> svg;   // folder to write plots to
  std::optional<std::filesystem::path> from;  // file to plot, in place of measuring
  std::string gpu;                            // that it was measured on, for titles
};

/// What --benchmark takes.
inline constexpr std::array<std::string_view, 11> benchmark_names{
    "counter", "blocks", "accesses", "table",  "list", "sorting",
    "sets",    "queues", "graphs",   "octree", "stm"};

/// Of each block; throws usage_error where more than one number is given.
std::uint64_t block_operations(const measure_options& options);

exit_status measure(const measure_options& options);
exit_status measure_accesses(const measure_options& options);

/// For benchmarks that a program measures without scenarios, of which there is none by another
/// name.
bool is_program_benchmark(const std::string& name);
exit_status measure_structures(const measure_options& options);

exit_status measure_from(const measure_options& options);

}  // namespace warpcheck
