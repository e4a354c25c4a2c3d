// What was measured of subjects on a GPU: a value, and how it looks.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "checker/console/exit_status.hpp"
#include "checker/hardware/conclusion.hpp"
#include "checker/hardware/gpu.hpp"

namespace warpcheck {

/// The benchmarks of papers: Grote's counter, by threads per block; Stuart and Owens' barriers,
/// mutexes and semaphores, by blocks; Grote's hash table, by buckets; his sorted list, by entry
/// points; Cederman's sorts, by keys, and his octrees and transactions, by blocks; Misra and
/// Chaudhuri's sets, by the range of keys; Pourmeidani's queues, by operations, and searches of
/// graphs, by vertices.
enum class benchmark { counter, blocks, table, list, sorting, sets, queues, graphs, octree, stm };

/// As --benchmark has it.
std::string name(benchmark what);

/// Put into a table, and into a list, where no other number is asked for: Grote's.
constexpr std::uint64_t table_pairs = 26'214'400;
constexpr std::uint64_t list_pairs = 262'144;

/// A subject on one grid. Each launch was checked.
struct measurement {
  std::string subject;
  std::string workload = "counter";       // or "phases", "capacity", "table", "list"; or what
                                          // is sorted, or which operations there are
  std::uint64_t blocks = 1, threads = 1;  // per block
  std::uint64_t buckets = 0;              // of a table
  std::uint64_t entry_points = 0;         // of a list
  std::uint64_t keys = 0;                 // that are sorted, different ones of a set, vertices of
                                          // a network, or particles of an octree
  std::uint64_t repeat = 1;               // operations of each client
  std::vector<double> seconds;            // of each launch; none where one went wrong
  std::optional<double> counted;          // beside the time: tasks of an octree, or attempts
                                          // that were aborted of each transaction
  trial_outcome outcome = trial_outcome::no_result;
  std::string message;
};

/// Of all launches. Quantiles are interpolated (type 7 of Hyndman & Fan).
struct spread {
  double least = 0, low = 0, median = 0, high = 0, most = 0;  // quartiles and ends, seconds
};

/// Empty where there are no times.
std::optional<spread> spread_of(const measurement& one);
std::optional<spread> spread_of(const std::vector<double>& seconds);

/// The GPU, what it was measured with, and when; ends with a line break.
std::string gpu_line(const gpu& device, const std::string& nvcc, const std::string& date);

/// What the runner printed, with its exit status.
measurement read_measurement(measurement which, const std::string& printed, int status);

/// What all measurements have in common.
struct measurement_setting {
  benchmark what = benchmark::counter;
  gpu device;
  std::string nvcc;  // its version
  std::string date;
  std::uint64_t operations = 0;  // increments or pairs in each launch; of each block with `blocks`
  std::uint64_t trials = 0;      // launches that were measured
};

/// What is varied along the axis of its plots, and by the columns of its table.
std::uint64_t varied_of(benchmark what, const measurement& one);

/// Of a launch that took `seconds`, with one client in each block; a barrier is one operation of
/// all.
double operations_per_second(const measurement& one, double seconds);

/// For `counter`, medians in milliseconds: a row for each subject and number of blocks, a column
/// for each number of threads. For `blocks`, thousands of operations per second: a row for each
/// subject, a column for each number of blocks. For `table`, milliseconds by buckets. For `list`,
/// milliseconds: a row for each subject and number of threads, a column for each number of entry
/// points. For `octree`, milliseconds: a row for each subject, workload, number of particles and of
/// threads, a column for each number of blocks. For `stm`, thousands of operations per second, and
/// in a second table attempts that were aborted: a row for each subject and workload, a column for
/// each number of blocks. For the others, milliseconds: a row for each
/// subject and workload, a column for each number of keys, vertices or operations. Then what went
/// wrong.
std::string measurement_table(const measurement_setting& setting,
                              const std::vector<measurement>& all);

/// The worst of all; `interrupted`: there would have been more.
exit_status status_of(const std::vector<measurement>& all, bool interrupted);

nlohmann::ordered_json to_json(const measurement_setting& setting,
                               const std::vector<measurement>& all);

}  // namespace warpcheck
