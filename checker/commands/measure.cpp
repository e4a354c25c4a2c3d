// warpcheck measure: how fast subjects are on a GPU, by the benchmarks of the papers that they are
// from. Now: Grote's counter, which many threads increment under one lock.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

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
#include "checker/scenario/scenario.hpp"
#include "sim/subject/compile.hpp"

namespace warpcheck {

namespace {

constexpr double start_allowance = 20;  // seconds, for CUDA

std::string last_part(const std::string& subject) { return subject.substr(subject.rfind('/') + 1); }

/// One scenario for each subject that the counter fits.
std::vector<scenario> locks_of(const std::vector<scenario>& scenarios) {
  std::vector<scenario> locks;
  std::set<std::string> known;
  for (const scenario& what : scenarios) {
    if (what.workload == "counter" && known.insert(what.subject).second) locks.push_back(what);
  }
  if (locks.empty()) {
    throw usage_error(
        "measure: none of these scenarios has workload = \"counter\", which is what is measured; "
        "for example: warpcheck measure scenarios/locks/tas.toml");
  }
  return locks;
}

/// All grids, the single thread first; those that divide the increments evenly.
std::vector<measurement> grids_of(const measure_options& options, const std::string& subject) {
  std::vector<measurement> grids;
  const auto add = [&](std::uint64_t blocks, std::uint64_t threads) {
    measurement one;
    one.subject = subject;
    one.blocks = blocks;
    one.threads = threads;
    one.repeat = options.increments / (blocks * threads);
    grids.push_back(std::move(one));
  };
  add(1, 1);
  for (const std::uint64_t blocks : options.blocks) {
    for (const std::uint64_t threads : options.threads) {
      if (options.increments % (blocks * threads) != 0) {
        throw usage_error(fmt::format(
            "--increments: {} cannot be shared out among {} blocks of {} threads evenly",
            options.increments, blocks, threads));
      }
      if (blocks != 1 || threads != 1) add(blocks, threads);
    }
  }
  return grids;
}

/// "32,32,8": lanes of the warps of a block
std::string lanes_of(std::uint64_t threads) {
  std::string text;
  for (; threads > 0; threads -= std::min<std::uint64_t>(threads, 32)) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", std::min<std::uint64_t>(threads, 32));
  }
  return text;
}

class measurer {
 public:
  measurer(const measure_options& options, gpu device, const cuda_compiler& compiler)
      : options_(options), compiler_(compiler), line_(!options.json) {
    setting_ = {std::move(device), compiler.version, today(), options.increments, options.trials};
  }

  exit_status run(const std::vector<scenario>& locks) {
    for (const auto& group : runner_groups(locks)) {
      if (stop_requested) break;
      std::set<std::filesystem::path> headers;
      for (const std::size_t i : group) headers.insert(subject_header(locks[i]));
      line_.show("nvcc compiles");
      const auto runner =
          build_runner({headers.begin(), headers.end()}, setting_.device.architecture, compiler_,
                       runner_kind::measurements);
      for (const std::size_t i : group) measure(locks[i].subject, runner);
    }
    line_.clear();
    report();
    return status();
  }

 private:
  const measure_options& options_;
  const cuda_compiler& compiler_;
  status_line line_;
  measurement_setting setting_;
  std::vector<measurement> all_;

  void measure(const std::string& subject, const std::filesystem::path& runner) {
    for (const measurement& grid : grids_of(options_, subject)) {
      if (stop_requested) return;
      line_.show(fmt::format("{}  {} × {} threads", subject, grid.blocks, grid.threads));
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
      if (hangs) return;  // it would on larger grids, too, at the price of the deadline each time
    }
  }

  [[nodiscard]] std::chrono::duration<double> patience() const {
    // Each launch has its deadline.
    return std::chrono::duration<double>(start_allowance +
                                         options_.time * static_cast<double>(options_.trials + 1));
  }

  [[nodiscard]] std::vector<std::string> command(const measurement& grid,
                                                 const std::filesystem::path& runner) const {
    return {runner.string(),
            "--subject",
            last_part(grid.subject),
            "--workload",
            "counter",
            "--clients",
            "lane",
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
    if (options_.csv) write_whole(*options_.csv, to_csv(all_), "--csv");
    if (options_.svg) {
      std::set<std::string> subjects;
      for (const measurement& m : all_) subjects.insert(m.subject);
      for (const std::string& subject : subjects) {
        std::string file = subject + ".svg";
        std::ranges::replace(file, '/', '_');
        write_whole(*options_.svg / file, measurement_plot(setting_, all_, subject), "--svg");
      }
    }
    if (options_.json)
      fmt::print("{}\n", to_json(setting_, all_).dump(2));
    else
      fmt::print("{}", measurement_table(setting_, all_));
  }

  [[nodiscard]] exit_status status() const {
    exit_status all = stop_requested ? exit_status::inconclusive : exit_status::as_expected;
    for (const measurement& m : all_) {
      if (m.outcome == trial_outcome::no_result)
        all = worse(all, exit_status::inconclusive);
      else if (m.outcome != trial_outcome::finished)
        all = worse(all, exit_status::not_expected);
    }
    return all;
  }
};

}  // namespace

exit_status measure(const measure_options& options) {
  const std::vector<scenario> locks = locks_of(read_all(options.scenarios));
  grids_of(options, "");  // mistakes come first
  const gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  const cuda_compiler compiler = find_nvcc();
  try {
    return measurer(options, search.device, compiler).run(locks);
  } catch (const simt::compile_error& error) {
    throw usage_error(error.what());
  }
}

}  // namespace warpcheck
