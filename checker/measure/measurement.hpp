// Holds what was measured of subjects on a GPU, and shows it as a table.
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

/// The benchmarks of papers. Grote: a counter, by threads per block, also with work items that say
/// which counter; a hash table, by buckets; a sorted list, by entry points. Stuart and Owens:
/// barriers, mutexes and semaphores, by blocks. Cederman: sorts, by keys; sums, by threads;
/// octrees, transactions, deques and moves, by blocks. Misra and Chaudhuri: sets and priority
/// queues, by the range of keys. Pourmeidani: queues, by operations; searches of graphs, by
/// vertices.
enum class benchmark {
  counter,
  blocks,
  table,
  list,
  sorting,
  sets,
  queues,
  graphs,
  octree,
  stm,
  deques,
  move,
  sums,
  priority_queues,
  work_items
};

/// Returns the name that --benchmark takes.
std::string name(benchmark what);

/// Pairs put into a table, and into a list, by default: Grote's number.
constexpr std::uint64_t table_pairs = 26'214'400;
constexpr std::uint64_t list_pairs = 262'144;

/// The times of a subject on one grid. Each launch was checked.
struct measurement {
  std::string subject;
  // Or "phases", "capacity", "table" or "list"; or what is sorted, or which operations there are.
  std::string workload = "counter";
  std::uint64_t blocks = 1, threads = 1;  // threads per block
  std::uint64_t buckets = 0;              // buckets of a table
  std::uint64_t entry_points = 0;         // entry points of a list
  // Keys to sort, keys of a set, vertices of a network, or particles of an octree.
  std::uint64_t keys = 0;
  // Length from which on GPU-Quicksort does not sort by bitonic sort; 0: as the program has it.
  std::uint64_t bitonic_below = 0;
  std::uint64_t repeat = 1;     // operations of each client
  std::vector<double> seconds;  // of each launch; empty if one failed
  // Besides the time: tasks of an octree, aborted attempts per transaction, the part of tasks that
  // was stolen, or operations per millisecond of a client that does not move.
  std::optional<double> counted;
  trial_outcome outcome = trial_outcome::no_result;
  std::string message;
};

/// The spread over all launches. Quantiles are interpolated (type 7 of Hyndman & Fan).
struct spread {
  double least = 0, low = 0, median = 0, high = 0, most = 0;  // quartiles and ends, seconds
};

/// Returns the spread. Empty if there are no times.
std::optional<spread> spread_of(const measurement& one);
std::optional<spread> spread_of(const std::vector<double>& seconds);

/// Returns the GPU, the tools and the date, with a line break at the end.
std::string gpu_line(const gpu& device, const std::string& nvcc, const std::string& date);

/// Reads what the runner printed, with its exit status.
measurement read_measurement(measurement which, const std::string& printed, int status);

/// What all measurements have in common.
struct measurement_setting {
  benchmark what = benchmark::counter;
  gpu device;
  std::string nvcc;  // nvcc's version
  std::string date;
  // Increments or pairs in each launch; with `blocks`, operations of each block.
  std::uint64_t operations = 0;
  std::uint64_t trials = 0;  // number of measured launches
};

/// Returns what varies along the axis of the plots, and by the columns of the table.
std::uint64_t varied_of(benchmark what, const measurement& one);

/// Whether a benchmark is shown as operations per second.
bool is_of_rates(benchmark what);

/// Returns the percentage of clients that move, which is part of the name of a workload of `move`,
/// such as "queue_stack_50_high". Other workloads have 0.
std::uint64_t percent_of_movers(const std::string& workload);

/// Returns the operations per second of a launch that took `seconds`, with one client in each
/// block. A barrier counts as one operation of all blocks, a move as two.
double operations_per_second(const measurement& one, double seconds);

/// Returns the measurements as a table, then what went wrong.
/// - `counter`: medians in milliseconds; a row for each subject and number of blocks, a column for
///   each number of threads.
/// - `blocks`: thousands of operations per second; a row for each subject, a column for each number
///   of blocks.
/// - `table`: milliseconds by buckets.
/// - `list`: milliseconds; a row for each subject and number of threads, a column for each number
///   of entry points.
/// - `octree`: milliseconds; a row for each subject, workload, number of particles and of threads,
///   a column for each number of blocks.
/// - `stm`, `deques`, `move`: thousands of operations per second, and what is counted in a second
///   table; a row for each subject and workload, a column for each number of blocks.
/// - `sums`: milliseconds by threads; `work_items`: the same, with a row for each number of blocks.
/// - others: milliseconds; a row for each subject and workload, a column for each number of keys,
///   vertices or operations.
std::string measurement_table(const measurement_setting& setting,
                              const std::vector<measurement>& all);

/// Returns the worst status of all. `interrupted`: not all were measured.
exit_status status_of(const std::vector<measurement>& all, bool interrupted);

nlohmann::ordered_json to_json(const measurement_setting& setting,
                               const std::vector<measurement>& all);

}  // namespace warpcheck
