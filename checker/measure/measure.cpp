// Implements warpcheck measure: how fast subjects are on a GPU, by benchmarks of papers. Many
// threads increment Grote's counter under one lock. One thread of each block uses Stuart and Owens'
// barriers, mutexes and semaphores.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

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
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"

namespace warpcheck {

namespace {

benchmark benchmark_named(const std::string& name) {
  if (name == "counter") return benchmark::counter;
  if (name == "blocks") return benchmark::blocks;
  throw usage_error(fmt::format("--benchmark: there is no benchmark \"{}\"; write {}", name,
                                fmt::join(benchmark_names, ", ")));
}

/// A subject, and what is measured of it.
struct task {
  scenario what;
  std::string workload;
};

/// Returns a task for each subject that the benchmark is for.
std::vector<task> tasks_of(const std::vector<scenario>& scenarios, benchmark which) {
  std::vector<task> tasks;
  std::set<std::string> known;
  for (const scenario& what : scenarios) {
    const bool fits =
        what.workload == "counter" ||
        (which == benchmark::blocks && (what.workload == "phases" || what.workload == "capacity"));
    if (fits && known.insert(what.subject).second) tasks.push_back({what, what.workload});
  }
  if (!tasks.empty()) return tasks;
  throw usage_error(
      which == benchmark::counter
          ? "measure: none of these scenarios has workload = \"counter\", which is what is "
            "measured; for example: warpcheck measure scenarios/locks/tas.toml"
          : "measure: none of these scenarios has workload = \"counter\", \"phases\" or "
            "\"capacity\"; for example: warpcheck measure --benchmark blocks scenarios/barriers");
}

measurement grid_of(const task& what, std::uint64_t blocks, std::uint64_t threads,
                    std::uint64_t repeat) {
  measurement one;
  one.subject = what.what.subject;
  one.workload = what.workload;
  one.blocks = blocks;
  one.threads = threads;
  one.repeat = repeat;
  return one;
}

using numbers = std::vector<std::uint64_t>;

/// Returns all grids that divide the increments evenly, the single thread first.
std::vector<measurement> counter_grids(const measure_options& options, const task& what) {
  const numbers all_blocks = options.blocks.empty() ? numbers{1, 8, 16, 32} : options.blocks;
  const numbers all_threads =
      options.threads.empty() ? numbers{32, 64, 128, 256, 512, 1024} : options.threads;
  std::vector<measurement> grids{grid_of(what, 1, 1, options.increments)};
  for (const std::uint64_t blocks : all_blocks) {
    for (const std::uint64_t threads : all_threads) {
      if (options.increments % (blocks * threads) != 0) {
        throw usage_error(fmt::format(
            "--increments: {} cannot be shared out among {} blocks of {} threads evenly",
            options.increments, blocks, threads));
      }
      if (blocks == 1 && threads == 1) continue;
      grids.push_back(grid_of(what, blocks, threads, options.increments / (blocks * threads)));
    }
  }
  return grids;
}

std::vector<measurement> block_grids(const measure_options& options, const task& what) {
  const numbers all = options.blocks.empty() ? numbers{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
                                             : options.blocks;
  if (options.threads.size() > 1)
    throw usage_error("--threads: the benchmark \"blocks\" takes one number");
  const std::uint64_t threads = options.threads.empty() ? 128 : options.threads[0];
  std::vector<measurement> grids;
  for (const std::uint64_t blocks : all)
    grids.push_back(grid_of(what, blocks, threads, block_operations(options)));
  return grids;
}

std::vector<measurement> grids_of(const measure_options& options, benchmark which,
                                  const task& what) {
  return which == benchmark::counter ? counter_grids(options, what) : block_grids(options, what);
}

/// Returns "32,32,8": the lanes of the warps of a block.
std::string lanes_of(std::uint64_t threads) {
  std::string text;
  for (; threads > 0; threads -= std::min<std::uint64_t>(threads, 32)) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", std::min<std::uint64_t>(threads, 32));
  }
  return text;
}

class measurer {
 public:
  measurer(const measure_options& options, benchmark which, gpu device,
           const cuda_compiler& compiler)
      : options_(options), compiler_(compiler), line_(!options.json) {
    setting_ = {which,
                std::move(device),
                compiler.version,
                today(),
                which == benchmark::counter ? options.increments : block_operations(options),
                options.trials};
  }

  exit_status run(const std::vector<task>& tasks) {
    std::vector<scenario> scenarios;
    for (const task& each : tasks) scenarios.push_back(each.what);
    for (const auto& group : runner_groups(scenarios)) {
      if (stop_requested) break;
      std::set<std::filesystem::path> headers;
      for (const std::size_t i : group) headers.insert(subject_header(scenarios[i]));
      line_.show("nvcc compiles");
      const auto runner =
          build_runner({headers.begin(), headers.end()}, setting_.device.architecture, compiler_,
                       runner_kind::measurements);
      for (const std::size_t i : group) measure(tasks[i], runner);
    }
    line_.clear();
    report();
    return status_of(all_, stop_requested);
  }

 private:
  const measure_options& options_;
  const cuda_compiler& compiler_;
  status_line line_;
  measurement_setting setting_;
  std::vector<measurement> all_;

  void measure(const task& what, const std::filesystem::path& runner) {
    for (const measurement& grid : grids_of(options_, setting_.what, what)) {
      if (stop_requested) return;
      line_.show(fmt::format("{}  {} × {} threads", grid.subject, grid.blocks, grid.threads));
      const child_result ended = run_child(command(grid, runner), patience(), stop_requested);
      if (ended.how == child_ending::stopped) return;
      measurement one = grid;
      if (ended.how == child_ending::too_late) {
        one.message = "the runner did not answer and was killed";
      } else {
        one = read_measurement(grid, ended.output, ended.status);
      }
      const bool hangs = one.outcome == trial_outcome::hang;
      all_.push_back(std::move(one));
      if (hangs) return;  // larger grids would hang, too, and each would cost the deadline
    }
  }

  [[nodiscard]] std::chrono::duration<double> patience() const {
    // Each launch has its deadline.
    return std::chrono::duration<double>(cuda_start_allowance +
                                         options_.time * static_cast<double>(options_.trials + 1));
  }

  /// Returns the clients: all threads for barriers, otherwise one thread of each block.
  [[nodiscard]] std::string clients(const measurement& grid) const {
    return setting_.what == benchmark::blocks && grid.workload != "phases" ? "block" : "lane";
  }

  [[nodiscard]] std::vector<std::string> command(const measurement& grid,
                                                 const std::filesystem::path& runner) const {
    return {runner.string(),
            "--subject",
            last_part(grid.subject),
            "--workload",
            grid.workload,
            "--clients",
            clients(grid),
            "--blocks",
            std::to_string(grid.blocks),
            "--lanes",
            lanes_of(grid.threads),
            "--repeat",
            std::to_string(grid.repeat),
            "--rounds",
            std::to_string(options_.trials + 1),
            "--timed",
            "1",
            "--deadline",
            fmt::format("{}", options_.time)};
  }

  void report() const {
    if (options_.json)
      fmt::print("{}\n", json_text(to_json(setting_, all_)));
    else
      fmt::print("{}", measurement_table(setting_, all_));
    if (options_.csv) write_whole(*options_.csv, to_csv(all_), "--csv");
    if (options_.svg) write_plots(*options_.svg, setting_, all_);
  }
};

}  // namespace

std::uint64_t block_operations(const measure_options& options) {
  if (options.operations.size() > 1)
    throw usage_error(
        fmt::format("--operations: the benchmark \"{}\" takes one number", options.benchmark));
  return options.operations.empty() ? 1000 : options.operations[0];
}

exit_status measure(const measure_options& options) {
  const benchmark which = benchmark_named(options.benchmark);
  const std::vector<task> tasks = tasks_of(read_all(options.scenarios), which);
  grids_of(options, which, tasks[0]);  // mistakes are reported first
  const gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  const cuda_compiler compiler = find_nvcc();
  try {
    return measurer(options, which, search.device, compiler).run(tasks);
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
}

}  // namespace warpcheck
