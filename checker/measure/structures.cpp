// warpcheck measure --benchmark table and list: how long a GPU takes to build a hash table with a
// lock for each bucket, and a sorted list with locks, after Grote (2020), sections 5.2.2 and 5.3.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/build.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/report.hpp"
#include "checker/measure/csv.hpp"
#include "checker/measure/measure.hpp"
#include "checker/measure/measurement.hpp"
#include "checker/measure/plots.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"

namespace warpcheck {

namespace {

/// What a benchmark builds.
struct structure {
  benchmark what;
  std::string name;     // the benchmark's
  std::string program;  // of hardware/
  std::vector<std::string> locks;
  std::uint64_t threads, pairs;       // where none are given
  std::vector<std::uint64_t> places;  // likewise: buckets, or entry points
};

const structure& structure_named(const std::string& name) {
  static const structure table{benchmark::table,
                               "table",
                               "table.cu",
                               {"tas_listing", "ttas_listing", "ticket_listing", "mcs_listing",
                                "tas", "ttas", "ticket", "mcs", "mcs2", "lock_free"},
                               256,
                               table_pairs,
                               {16, 32, 64, 256}};
  static const structure list{
      benchmark::list,
      "list",
      "list.cu",
      {"coupled_tas_listing", "coupled_ttas_listing", "coupled_ticket_listing",
       "coupled_mcs2_listing", "coupled_tas", "coupled_ttas", "coupled_ticket", "coupled_mcs2",
       "coupled_mcs2_unbranched", "coarse_tas_listing", "coarse_ttas_listing",
       "coarse_ticket_listing", "coarse_mcs2_listing", "coarse_tas", "coarse_ttas", "coarse_ticket",
       "coarse_mcs", "coarse_mcs2"},
      128,
      list_pairs,
      {16, 32, 64, 128, 256, 512, 1024}};
  return name == "table" ? table : list;
}

std::vector<std::string> locks_of(const measure_options& options, const structure& what) {
  for (const std::string& lock : options.locks) {
    if (std::ranges::find(what.locks, lock) == what.locks.end()) {
      throw usage_error(fmt::format("--locks: the benchmark \"{}\" has no \"{}\", but {}",
                                    what.name, lock, fmt::join(what.locks, ", ")));
    }
  }
  return options.locks.empty() ? what.locks : options.locks;
}

std::vector<std::uint64_t> threads_of(const measure_options& options, const structure& what) {
  if (options.threads.empty()) return {what.threads};
  if (what.what == benchmark::table && options.threads.size() > 1)
    throw usage_error("--threads: the benchmark \"table\" takes one number");
  for (const std::uint64_t threads : options.threads) {
    if (threads % 32 != 0)
      throw usage_error(
          fmt::format("--threads: the benchmark \"{}\" takes whole warps", what.name));
  }
  return options.threads;
}

/// What to measure, in the order of the thesis.
std::vector<measurement> grids_of(const measure_options& options, const structure& what) {
  if (!options.scenarios.empty())
    throw usage_error(
        fmt::format("measure: the benchmark \"{}\" is of no scenario; name none", what.name));
  if (options.blocks.size() > 1)
    throw usage_error(fmt::format("--blocks: the benchmark \"{}\" takes one number", what.name));
  const std::uint64_t blocks = options.blocks.empty() ? 30 : options.blocks[0];
  const std::uint64_t pairs = options.pairs.value_or(what.pairs);
  const bool is_table = what.what == benchmark::table;
  const auto& given = is_table ? options.buckets : options.entry_points;
  std::vector<measurement> grids;
  for (const std::string& lock : locks_of(options, what)) {
    for (const std::uint64_t threads : threads_of(options, what)) {
      for (const std::uint64_t places : given.empty() ? what.places : given) {
        measurement one;
        one.subject = lock;
        one.workload = what.name;
        one.blocks = blocks;
        one.threads = threads;
        (is_table ? one.buckets : one.entry_points) = places;
        one.repeat = (pairs + blocks * threads - 1) / (blocks * threads);
        grids.push_back(std::move(one));
      }
    }
  }
  return grids;
}

measurement measure_one(const measurement& grid, const measure_options& options,
                        const structure& what, const std::string& program) {
  const bool is_table = what.what == benchmark::table;
  const std::vector<std::string> command{
      program,
      "--lock",
      grid.subject,
      is_table ? "--buckets" : "--entry-points",
      std::to_string(is_table ? grid.buckets : grid.entry_points),
      "--pairs",
      std::to_string(options.pairs.value_or(what.pairs)),
      "--blocks",
      std::to_string(grid.blocks),
      "--threads",
      std::to_string(grid.threads),
      "--trials",
      std::to_string(options.trials),
      "--deadline",
      fmt::format("{:.0f}", std::max(1.0, options.time))};
  constexpr double start_allowance = 30;  // seconds, for CUDA and the pairs
  constexpr double check_allowance = 10;  // seconds of each launch, for copies and the check
  const std::chrono::duration<double> patience(
      start_allowance + (options.time + check_allowance) * static_cast<double>(options.trials + 1));
  const child_result ended = run_child(command, patience, stop_requested);
  if (ended.how != child_ending::too_late)
    return read_measurement(grid, ended.output, ended.status);
  measurement late = grid;
  late.message = "the program did not answer and was killed";
  return late;
}

}  // namespace

exit_status measure_structures(const measure_options& options) {
  const structure& what = structure_named(options.benchmark);
  const std::vector<measurement> grids = grids_of(options, what);
  const gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  const cuda_compiler compiler = find_nvcc();
  status_line line(!options.json);
  line.show("nvcc compiles");
  std::string program;
  try {
    program = build_structures(what.program, search.device.architecture, compiler).string();
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
  const measurement_setting setting{
      what.what,     search.device, compiler.version, today(), options.pairs.value_or(what.pairs),
      options.trials};
  std::vector<measurement> all;
  for (const measurement& grid : grids) {
    if (stop_requested) break;
    line.show(fmt::format("{}, {}", grid.subject,
                          what.what == benchmark::table
                              ? fmt::format("{} buckets", grid.buckets)
                              : fmt::format("{} entry points, {} × {} threads", grid.entry_points,
                                            grid.blocks, grid.threads)));
    measurement one = measure_one(grid, options, what, program);
    if (!stop_requested) all.push_back(std::move(one));
  }
  line.clear();
  if (options.json)
    fmt::print("{}\n", json_text(to_json(setting, all)));
  else
    fmt::print("{}", measurement_table(setting, all));
  if (options.csv) write_whole(*options.csv, to_csv(all), "--csv");
  if (options.svg) write_plots(*options.svg, setting, all);
  return status_of(all, stop_requested);
}

}  // namespace warpcheck
