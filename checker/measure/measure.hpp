// warpcheck measure: how fast a GPU is with locks, barriers, semaphores and accesses to memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/console/exit_status.hpp"

namespace warpcheck {

struct measure_options {
  std::vector<std::filesystem::path> scenarios;  // files, and folders of them
  std::string benchmark = "counter";             // or "blocks", "accesses", "table", "list"
  std::vector<std::uint64_t> blocks;             // grids; empty: the benchmark's
  std::vector<std::uint64_t> threads;            // per block; empty: the benchmark's
  std::uint64_t increments = 32768;              // of each launch (counter)
  std::uint64_t operations = 1000;               // of each block (blocks, accesses)
  std::optional<std::uint64_t> pairs;            // of each launch (table, list)
  std::vector<std::uint64_t> buckets;            // of a table; empty: the benchmark's
  std::vector<std::uint64_t> entry_points;       // of a list; empty: the benchmark's
  std::vector<std::string> locks;                // of a table, list or file; empty: all
  std::uint64_t trials = 10;                     // launches of each grid
  double time = 10;                              // seconds, for each launch
  bool json = false;
  std::optional<std::filesystem::path> csv;   // file to write
  std::optional<std::filesystem::path> svg;   // folder to write plots to
  std::optional<std::filesystem::path> from;  // file to plot, in place of measuring
  std::string gpu;                            // that it was measured on, for titles
};

exit_status measure(const measure_options& options);
exit_status measure_accesses(const measure_options& options);
exit_status measure_structures(const measure_options& options);
exit_status measure_from(const measure_options& options);

}  // namespace warpcheck
