// warpcheck measure --benchmark table: how long a GPU takes to build a hash table with a lock for
// each bucket, after Grote (2020), section 5.2.2.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "checker/commands/child_process.hpp"
#include "checker/commands/commands.hpp"
#include "checker/commands/hardware_build.hpp"
#include "checker/commands/hardware_gpu.hpp"
#include "checker/commands/hardware_report.hpp"
#include "checker/commands/interrupt.hpp"
#include "checker/commands/measurement.hpp"
#include "checker/commands/outcome.hpp"
#include "checker/commands/read_all.hpp"
#include "checker/commands/status_line.hpp"
#include "checker/commands/write_whole.hpp"
#include "sim/subject/compile.hpp"

namespace warpcheck {

namespace {

std::uint64_t one_of(const std::vector<std::uint64_t>& given, const std::string& option,
                     std::uint64_t otherwise) {
  if (given.size() > 1) throw usage_error(option + ": the benchmark \"table\" takes one number");
  return given.empty() ? otherwise : given[0];
}

/// What to measure, in the order of the thesis.
std::vector<measurement> grids_of(const measure_options& options) {
  if (!options.scenarios.empty())
    throw usage_error("measure: the benchmark \"table\" is of no scenario; name none");
  const std::uint64_t blocks = one_of(options.blocks, "--blocks", 30);
  const std::uint64_t threads = one_of(options.threads, "--threads", 256);
  if (threads % 32 != 0) throw usage_error("--threads: the benchmark \"table\" takes whole warps");
  std::vector<measurement> grids;
  for (const char* lock : {"tas", "ttas", "ticket", "mcs", "lock_free"}) {
    for (const std::uint64_t buckets : options.buckets) {
      measurement one;
      one.subject = lock;
      one.workload = "table";
      one.blocks = blocks;
      one.threads = threads;
      one.buckets = buckets;
      one.repeat = (options.pairs + blocks * threads - 1) / (blocks * threads);
      grids.push_back(std::move(one));
    }
  }
  return grids;
}

measurement measure_one(const measurement& grid, const measure_options& options,
                        const std::string& program) {
  const std::vector<std::string> command{program,
                                         "--lock",
                                         grid.subject,
                                         "--buckets",
                                         std::to_string(grid.buckets),
                                         "--pairs",
                                         std::to_string(options.pairs),
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

exit_status measure_tables(const measure_options& options) {
  const std::vector<measurement> grids = grids_of(options);
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
    program = build_table(search.device.architecture, compiler).string();
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
  const measurement_setting setting{benchmark::table, search.device, compiler.version,
                                    today(),          options.pairs, options.trials};
  std::vector<measurement> all;
  for (const measurement& grid : grids) {
    if (stop_requested) break;
    line.show(fmt::format("{}, {} buckets", grid.subject, grid.buckets));
    measurement one = measure_one(grid, options, program);
    if (!stop_requested) all.push_back(std::move(one));
  }
  line.clear();
  if (options.csv) write_whole(*options.csv, to_csv(all), "--csv");
  if (options.svg) write_whole(*options.svg / "table.svg", table_plot(setting, all), "--svg");
  if (options.json)
    fmt::print("{}\n", to_json(setting, all).dump(2));
  else
    fmt::print("{}", measurement_table(setting, all));
  exit_status status = stop_requested ? exit_status::inconclusive : exit_status::as_expected;
  for (const measurement& m : all) {
    if (m.outcome == trial_outcome::no_result)
      status = worse(status, exit_status::inconclusive);
    else if (m.outcome != trial_outcome::finished)
      status = worse(status, exit_status::not_expected);
  }
  return status;
}

}  // namespace warpcheck
