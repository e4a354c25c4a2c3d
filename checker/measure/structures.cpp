// Measures the benchmarks that need no scenarios (programs.cpp): builds the program of each, and
// runs it for each grid.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/build.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/report.hpp"
#include "checker/measure/csv.hpp"
#include "checker/measure/measure.hpp"
#include "checker/measure/measurement.hpp"
#include "checker/measure/plots.hpp"
#include "checker/measure/programs.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"

namespace warpcheck {

namespace {

measurement measure_one(const measurement& grid, const measure_options& options,
                        const program_benchmark& of, const std::string& program) {
  std::vector<std::string> command{program};
  for (std::string& option : program_options(grid, options, of))
    command.push_back(std::move(option));
  command.insert(command.end(), {"--trials", std::to_string(options.trials), "--deadline",
                                 fmt::format("{:.0f}", std::max(1.0, options.time))});
  // Seconds that CUDA, and making the pairs or keys, may take.
  constexpr double start_allowance = 30;
  constexpr double check_allowance = 10;  // seconds of each launch for copies and the check
  const std::chrono::duration<double> patience(
      start_allowance + (options.time + check_allowance) * static_cast<double>(options.trials + 1));
  const child_result ended = run_child(command, patience, stop_requested);
  if (ended.how != child_ending::too_late)
    return read_measurement(grid, ended.output, ended.status);
  measurement late = grid;
  late.message = "the program did not answer and was killed";
  return late;
}

std::string place_of(const measurement& grid, const program_benchmark& of) {
  const std::string place =
      of.place == nullptr ? "" : fmt::format("{} {}, ", of.place_option.substr(2), grid.*of.place);
  return fmt::format("{} {}, {}{} × {} threads", grid.subject, grid.workload, place, grid.blocks,
                     grid.threads);
}

}  // namespace

exit_status measure_structures(const measure_options& options) {
  const program_benchmark& of = *program_benchmark_named(options.benchmark);
  const std::vector<measurement> grids = grids_of(options, of);
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
    program = build_structures(of.file, search.device.architecture, compiler).string();
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
  const std::uint64_t amount = amount_of(grids[0], options, of);
  const measurement_setting setting{of.what, search.device, compiler.version,
                                    today(), amount,        options.trials};
  std::vector<measurement> all;
  for (const measurement& grid : grids) {
    if (stop_requested) break;
    line.show(place_of(grid, of));
    measurement one = measure_one(grid, options, of, program);
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
