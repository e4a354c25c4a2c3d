// Implements warpcheck measure --benchmark accesses: how long a GPU takes for volatile and atomic
// reads and writes, after Stuart and Owens (2011).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/build.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/report.hpp"
#include "checker/measure/measure.hpp"
#include "checker/measure/measured_accesses.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"

namespace warpcheck {

namespace {

void refuse_what_does_not_belong(const measure_options& options) {
  if (!options.scenarios.empty())
    throw usage_error("measure: the benchmark \"accesses\" is of no scenario; name none");
  if (!options.threads.empty())
    throw usage_error("--threads: in the benchmark \"accesses\" one thread of each block works");
  if (options.blocks.size() > 1)
    throw usage_error("--blocks: the benchmark \"accesses\" takes one number");
  if (options.svg) throw usage_error("--svg: the benchmark \"accesses\" is a table; use --csv");
}

}  // namespace

exit_status measure_accesses(const measure_options& options) {
  refuse_what_does_not_belong(options);
  const std::uint64_t operations = block_operations(options);
  gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  const cuda_compiler compiler = find_nvcc();
  status_line line(!options.json);
  line.show("nvcc compiles");
  std::vector<std::string> command;
  try {
    command.push_back(build_accesses(search.device.architecture, compiler).string());
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
  if (!options.blocks.empty())
    command.insert(command.end(), {"--blocks", std::to_string(options.blocks[0])});
  command.insert(command.end(), {"--accesses", std::to_string(operations), "--trials",
                                 std::to_string(options.trials)});
  line.show("measures accesses");
  constexpr double benchmarks = 12;
  const std::chrono::duration<double> patience(
      cuda_start_allowance + benchmarks * options.time * static_cast<double>(options.trials + 1));
  const child_result ended = run_child(command, patience, stop_requested);
  line.clear();
  measured_accesses measured;
  measured.setting = {benchmark::blocks, search.device, compiler.version,
                      today(),           operations,    options.trials};
  try {
    read_accesses(ended.output, measured);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_status::inconclusive;
  }
  if (options.json)
    fmt::print("{}\n", json_text(to_json(measured)));
  else
    fmt::print("{}", access_table(measured));
  if (options.csv) write_whole(*options.csv, to_csv(measured), "--csv");
  const bool wrong = std::ranges::any_of(
      measured.all, [](const measured_access& one) { return !one.message.empty(); });
  return wrong ? exit_status::not_expected : exit_status::as_expected;
}

}  // namespace warpcheck
