// Lists the subjects, workloads and sizes of the benchmarks that need no scenarios, and picks those
// that the options name.
#include "checker/measure/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

namespace {

using numbers = std::vector<std::uint64_t>;
using names = std::vector<std::string>;

/// Grote (2020), sections 5.2.2 and 5.3.
program_benchmark table() {
  return {benchmark::table,
          "table",
          "table.cu",
          {"tas_listing", "ttas_listing", "ticket_listing", "mcs_listing", "tas_apart",
           "ttas_apart", "ticket_apart", "mcs_apart", "tas", "ttas", "ticket", "mcs", "mcs2",
           "lock_free", "lock_free_apart"},
          {"table"},
          {30},
          {256},
          {table_pairs},
          "--pairs",
          {16, 32, 64, 256},
          "--buckets",
          &measurement::buckets};
}
program_benchmark list() {
  return {benchmark::list,
          "list",
          "list.cu",
          {"coupled_tas_listing", "coupled_ttas_listing", "coupled_ticket_listing",
           "coupled_mcs2_listing", "coupled_tas", "coupled_ttas", "coupled_ticket", "coupled_mcs2",
           "coupled_mcs2_unbranched", "coarse_tas_listing", "coarse_ttas_listing",
           "coarse_ticket_listing", "coarse_mcs2_listing", "coarse_tas", "coarse_ttas",
           "coarse_ticket", "coarse_mcs", "coarse_mcs2"},
          {"list"},
          {30},
          {128},
          {list_pairs},
          "--pairs",
          {16, 32, 64, 128, 256, 512, 1024},
          "--entry-points",
          &measurement::entry_points};
}
/// Cederman (2011), chapter 2.
program_benchmark sorting() {
  return {benchmark::sorting,
          "sorting",
          "sorting.cu",
          {"gpu_quicksort", "gpu_quicksort_average", "gpu_quicksort_printed", "cub_radix",
           "cub_merge", "std_sort"},
          {"uniform", "sorted", "zero", "bucket", "gaussian", "staggered", "scanned"},
          {},
          {256},
          {},
          "",
          {1U << 20, 1U << 22, 1U << 24, 1U << 26},
          "--keys",
          &measurement::keys};
}
/// Misra and Chaudhuri (2012), figures 4 to 6.
program_benchmark sets() {
  return {benchmark::sets,
          "sets",
          "sets.cu",
          {"list", "hash_list", "skip_list", "sundell_skip_list", "sundell_skip_list_counted",
           "michael_list_hazard", "warp_table", "sorted_batch", "cpu_list", "cpu_hash_list",
           "cpu_skip_list", "cpu_sundell_skip_list"},
          {"20_20_60", "40_40_20", "20_20_60_by_kind", "40_40_20_by_kind"},
          {},
          {128},
          {102'400},
          "--operations",
          {100, 1'000, 10'000, 100'000},
          "--keys",
          &measurement::keys};
}
/// Pourmeidani (2018), tables 4.1 and 4.2.
program_benchmark queues() {
  return {benchmark::queues,
          "queues",
          "queues.cu",
          {"pourmeidani_blocking", "pourmeidani_nonblocking", "michael_scott", "tsigas_zhang",
           "vyukov", "locked_ring", "michael_scott_hazard", "warp_tickets", "cpu_michael_scott",
           "cpu_vyukov", "cpu_mutex"},
          {"80_20", "50_50"},
          {},
          {128},
          {10'240, 20'480, 40'960, 102'400},
          "--operations",
          {},
          "",
          nullptr};
}
/// Pourmeidani (2018), tables 4.3 and 4.4.
program_benchmark graphs() {
  return {benchmark::graphs,
          "graphs",
          "graphs.cu",
          {"queue_bfs_blocking", "queue_bfs_nonblocking", "queue_bfs_blocking_shorter",
           "queue_bfs_nonblocking_shorter", "level_bfs", "cpu_bfs"},
          {"roads"},
          {264},
          {128},
          {},
          "",
          {1U << 16, 1U << 18, 2'000'000},
          "--vertices",
          &measurement::keys};
}

/// Cederman (2011), figures 3.2 to 3.5.
program_benchmark octree() {
  return {benchmark::octree,
          "octree",
          "octree.cu",
          {"static", "blocking_queue", "lock_free_queue", "stealing"},
          {"uniform", "tube"},
          {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
          {32, 64, 128, 256},
          {},
          "",
          {500'000},
          "--particles",
          &measurement::keys};
}

/// Cederman (2011), figures 5.4 to 5.10.
program_benchmark stm() {
  return {benchmark::stm,
          "stm",
          "stm.cu",
          {"blocking", "blocking_linear", "blocking_exponential", "obstruction_free",
           "obstruction_free_linear", "obstruction_free_exponential", "obstruction_free_writes",
           "obstruction_free_writes_linear", "obstruction_free_writes_exponential", "lock_free"},
          {"queue_low", "queue_full", "hash_map_low", "hash_map_full", "binary_tree_low",
           "binary_tree_full", "skip_list_low", "skip_list_full"},
          {1, 2, 4, 8, 16, 32, 60, 128, 256, 512},
          {32},
          {32},
          "--operations",
          {},
          "",
          nullptr,
          true};
}

/// Cederman (2011), section 3.4.4.
program_benchmark deques() {
  return {benchmark::deques,
          "deques",
          "deques.cu",
          {"arora", "arora_weak", "cederman_tsigas_fenced", "locked"},
          {"own", "stolen", "shared"},
          {1, 2, 4, 8, 16, 32, 64, 128},
          {32},
          {1024},
          "--operations",
          {},
          "",
          nullptr,
          true};
}

/// Returns the workloads of `move`: which containers, how many of a hundred clients move, and how
/// much they contend.
names move_workloads() {
  names all;
  for (const char* containers : {"queue_queue", "queue_stack", "stack_stack"}) {
    for (const char* contention : {"high", "low"}) {
      for (const int percent : {0, 25, 50, 75, 100})
        all.push_back(fmt::format("{}_{}_{}", containers, percent, contention));
    }
  }
  return all;
}
/// Cederman (2011), figures 4.1 to 4.13.
program_benchmark move() {
  return {benchmark::move,
          "move",
          "move.cu",
          {"dcas", "dcas_backoff", "locked", "locked_backoff", "unready", "unready_backoff"},
          move_workloads(),
          {1, 2, 4, 8, 16, 32, 64, 128},
          {32},
          {512},
          "--operations",
          {},
          "",
          nullptr,
          true};
}

/// Cederman (2011), section 2.3.2.
program_benchmark sums() {
  return {benchmark::sums,
          "sums",
          "sums.cu",
          {"scan", "one_thread", "fetch_and_add", "fetch_and_add_global", "cub"},
          {"block"},
          {132},
          {32, 64, 128, 256, 512},
          {1000},
          "--operations",
          {},
          "",
          nullptr,
          true};
}
/// Misra and Chaudhuri (2012), figure 7.
program_benchmark priority_queues() {
  return {benchmark::priority_queues,
          "priority_queues",
          "priority_queues.cu",
          {"skip_queue", "cpu_skip_queue", "cpu_mutex"},
          {"50_50", "80_20", "50_50_by_kind", "80_20_by_kind"},
          {},
          {128},
          {102'400},
          "--operations",
          {100, 1'000, 10'000, 100'000},
          "--keys",
          &measurement::keys};
}

/// Grote (2020), section 5.2.1.
program_benchmark work_items() {
  return {benchmark::work_items,
          "work_items",
          "work_items.cu",
          {"tas_listing", "ttas_listing", "ticket_listing", "mcs_listing"},
          {"read", "known"},
          {1, 8, 16, 32},
          {32, 64, 128, 256, 512, 1024},
          {32'768},
          "--operations",
          {},
          "",
          nullptr};
}

/// Whether the subject has what the workload asks for: containers that are not ready cannot move.
bool fits(const std::string& subject, const std::string& workload) {
  return !subject.starts_with("unready") || percent_of_movers(workload) == 0;
}

/// Returns those that were asked for, or all there are.
names picked(const names& asked, const names& there, const program_benchmark& of,
             const std::string& option) {
  for (const std::string& name : asked) {
    if (std::ranges::find(there, name) == there.end()) {
      throw usage_error(fmt::format("{}: the benchmark \"{}\" has no \"{}\", but {}", option,
                                    of.name, name, fmt::join(there, ", ")));
    }
  }
  return asked.empty() ? there : asked;
}

void refuse_what_does_not_belong(const measure_options& options, const program_benchmark& of) {
  if (!options.scenarios.empty())
    throw usage_error(
        fmt::format("measure: the benchmark \"{}\" is of no scenario; name none", of.name));
  const bool is_sorting = of.what == benchmark::sorting;
  if (!options.bitonic_below.empty() && !is_sorting)
    throw usage_error(fmt::format("--bitonic-below: the benchmark \"{}\" does not sort", of.name));
  if (options.blocks.size() > 1 && of.blocks.size() < 2 && !is_sorting)
    throw usage_error(fmt::format("--blocks: the benchmark \"{}\" takes one number", of.name));
  if (of.what == benchmark::table && options.threads.size() > 1)
    throw usage_error("--threads: the benchmark \"table\" takes one number");
  for (const std::uint64_t threads : options.threads) {
    if (threads % 32 != 0)
      throw usage_error(fmt::format("--threads: the benchmark \"{}\" takes whole warps", of.name));
  }
}

numbers amounts_of(const measure_options& options, const program_benchmark& of) {
  if (of.amount_option == "--pairs") return {options.pairs.value_or(of.amounts[0])};
  return of.amounts.empty() || options.operations.empty() ? of.amounts : options.operations;
}

numbers places_of(const measure_options& options, const program_benchmark& of) {
  const numbers& given = of.what == benchmark::table    ? options.buckets
                         : of.what == benchmark::list   ? options.entry_points
                         : of.what == benchmark::graphs ? options.vertices
                         : of.what == benchmark::octree ? options.particles
                                                        : options.keys;
  return of.places.empty() || given.empty() ? of.places : given;
}

bool has_parameters(const std::string& subject) { return subject.starts_with("gpu_quicksort"); }

bool is_on_cpu(const std::string& subject) {
  return subject.starts_with("cpu_") || subject.starts_with("std_");
}

/// Sets the grid of a measurement. On the CPU there are as many threads as cores, or one, if that
/// is what is compared.
void set_grid(measurement& one, const program_benchmark& of, std::uint64_t blocks,
              std::uint64_t threads, std::uint64_t amount) {
  one.blocks = blocks;
  one.threads = threads;
  if (is_on_cpu(one.subject)) {
    one.blocks = 1;
    const bool has_one = one.subject == "std_sort" || one.subject == "cpu_bfs";
    one.threads = has_one ? 1 : std::max(1U, std::thread::hardware_concurrency());
  } else if (one.blocks == 0 && of.what == benchmark::sorting) {
    // Phase one sorts sequences of 16,384 keys each, unless these are too few or too many.
    one.blocks = std::clamp<std::uint64_t>(one.keys >> 14, 128, 2048);
  } else if (one.blocks == 0) {
    one.blocks = (amount + threads - 1) / threads;  // one operation for each thread
  }
  const std::uint64_t clients = of.of_each_block ? 1 : one.blocks * one.threads;
  one.repeat = amount == 0 ? 1 : (amount + clients - 1) / clients;
}

/// Adds the measurement once for each length of --bitonic-below, which only GPU-Quicksort has.
void add_with_lengths(measurement one, const measure_options& options,
                      std::vector<measurement>& grids) {
  if (options.bitonic_below.empty() || !has_parameters(one.subject)) {
    grids.push_back(std::move(one));
    return;
  }
  for (const std::uint64_t length : options.bitonic_below) {
    one.bitonic_below = length;
    grids.push_back(one);
  }
}

}  // namespace

const std::vector<program_benchmark>& program_benchmarks() {
  static const std::vector<program_benchmark> all{
      table(), list(),   sorting(), sets(), queues(),          graphs(),    octree(),
      stm(),   deques(), move(),    sums(), priority_queues(), work_items()};
  return all;
}

const program_benchmark* program_benchmark_named(const std::string& name) {
  const auto found = std::ranges::find(program_benchmarks(), name, &program_benchmark::name);
  return found == program_benchmarks().end() ? nullptr : &*found;
}

bool is_program_benchmark(const std::string& name) {
  return program_benchmark_named(name) != nullptr;
}

std::uint64_t amount_of(const measurement& grid, const measure_options& options,
                        const program_benchmark& of) {
  if (of.amount_option == "--pairs") return amounts_of(options, of)[0];
  return of.of_each_block ? grid.repeat : grid.blocks * grid.threads * grid.repeat;
}

std::vector<measurement> grids_of(const measure_options& options, const program_benchmark& of) {
  refuse_what_does_not_belong(options, of);
  const numbers threads = options.threads.empty() ? of.threads : options.threads;
  numbers blocks = options.blocks.empty() ? of.blocks : options.blocks;
  numbers amounts = amounts_of(options, of), places = places_of(options, of);
  for (numbers* const varied : {&blocks, &amounts, &places}) {
    if (varied->empty()) *varied = {0};
  }
  std::vector<measurement> grids;
  for (const std::string& subject : picked(options.subjects, of.subjects, of, "--subjects")) {
    for (const std::string& workload : picked(options.workloads, of.workloads, of, "--workloads")) {
      if (!fits(subject, workload)) continue;
      for (const std::uint64_t each : threads) {
        for (const std::uint64_t amount : amounts) {
          for (const std::uint64_t place : places) {
            for (const std::uint64_t number : blocks) {
              measurement one;
              one.subject = subject;
              one.workload = workload;
              if (of.place != nullptr) one.*of.place = place;
              set_grid(one, of, number, each, amount);
              add_with_lengths(std::move(one), options, grids);
            }
          }
        }
        if (is_on_cpu(subject)) break;  // numbers of threads only matter on the GPU
      }
    }
  }
  return grids;
}

std::vector<std::string> program_options(const measurement& grid, const measure_options& options,
                                         const program_benchmark& of) {
  std::vector<std::string> all{"--subject", grid.subject};
  if (of.workloads.size() > 1) all.insert(all.end(), {"--workload", grid.workload});
  if (of.place != nullptr) all.insert(all.end(), {of.place_option, std::to_string(grid.*of.place)});
  if (!of.amount_option.empty())
    all.insert(all.end(), {of.amount_option, std::to_string(amount_of(grid, options, of))});
  if (grid.bitonic_below != 0)
    all.insert(all.end(), {"--bitonic-below", std::to_string(grid.bitonic_below)});
  all.insert(all.end(),
             {"--blocks", std::to_string(grid.blocks), "--threads", std::to_string(grid.threads)});
  return all;
}

}  // namespace warpcheck
