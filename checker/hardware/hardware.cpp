// Implements warpcheck hardware: runs scenarios on a GPU, and compares the outcomes with what the
// model allows.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "checker/check/check.hpp"
#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/memory.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/progress.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/build.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/grid.hpp"
#include "checker/hardware/hardware.hpp"
#include "checker/hardware/histories.hpp"
#include "checker/hardware/report.hpp"
#include "checker/hardware/stack.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/search/search.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/compile/compile.hpp"

namespace warpcheck {

namespace {

// A kernel that is not done by then never will be: its work takes milliseconds.
constexpr double default_deadline = 5;  // seconds

// Scenarios are small. A large one gets no prediction, but does not hold up the rest.
constexpr double default_model_time = 60;  // seconds

// After an exploration that is not complete, single runs get this part of its time.
constexpr double part_for_chance = 0.5;

constexpr std::uint64_t default_seed = 1;
constexpr std::uint64_t most_numbers = 0xffffffff;  // the runner takes 1 to so many launches
constexpr std::uint64_t most_of_a_process = 1'000'000;

/// Says why the GPU cannot be asked about this run; empty: it can.
std::string not_askable(const scenario& what, const run_settings& how) {
  if (what.never_ends()) return "clients that never end are not run on a GPU";
  if (what.generate) return "its clients are generated: give `threads` to ask the GPU about them";
  if (how.machine.resident != 0 && how.machine.resident < what.grid.blocks) {
    return "a GPU keeps as many blocks resident as fit, and starts them as it likes";
  }
  const bool together = what.grid.cluster > 1 || what.grid.cooperative;
  if (together && how.machine.reconvergence == simt::reconvergence::stack) {
    return "programs of before Volta have no clusters, and none of the shipped launches of them is "
           "cooperative";
  }
  return {};
}

/// Returns the run as a GPU carries it out, without limits on what is looked for.
run_settings as_on_gpu(run_settings how) {
  how.check = usual_checks & ~bit(verdict::progress_violated);
  how.machine.order = simt::block_order::any;  // all blocks run at once
  return how;
}

/// Returns the run under this model that the GPU also carries out, without limits on what is looked
/// for. The scenario's other fair runs under this model go to `skipped`. Empty: there is none.
std::optional<run_settings> gpu_run(const scenario& what, simt::reconvergence model,
                                    std::vector<skipped_run>& skipped) {
  std::optional<run_settings> chosen;
  for (const run_settings& how : what.runs) {
    if (how.machine.reconvergence != model || how.progress != simt::progress::fair ||
        how.fairness != simt::fairness::weak || how.machine.memory != simt::memory_model::sc) {
      continue;
    }
    const std::string reason = not_askable(what, how);
    if (!reason.empty()) {
      skipped.push_back({readable_path(what.file), what.title, model_label(how), reason});
    } else if (!chosen) {
      // Runs that differ only in what is checked ask the GPU the same question.
      chosen = as_on_gpu(how);
    }
  }
  return chosen;
}

/// A counterexample that the user names in place of a scenario.
struct counterexample_given {
  std::string file;
  saved_counterexample saved;
};

/// A run about which the GPU is asked.
struct question {
  const scenario* what;
  run_settings how;
  told_choices told = {};  // of a counterexample
  std::string file = {};   // the counterexample; empty: the question is about a scenario

  [[nodiscard]] bool under_stack() const {
    return how.machine.reconvergence == simt::reconvergence::stack;
  }
};

/// Asks about the run of each counterexample, in which threads choose what they choose there.
void add_counterexamples(const std::vector<counterexample_given>& given,
                         std::optional<simt::reconvergence> only, std::vector<question>& all,
                         std::vector<skipped_run>& skipped) {
  for (const counterexample_given& each : given) {
    const scenario& what = each.saved.what;
    const run_settings& how = each.saved.settings();
    std::string reason = not_askable(what, how);
    if (how.progress != simt::progress::fair || how.fairness != simt::fairness::weak)
      reason = "a GPU is compared with fair runs";
    if (only && *only != how.machine.reconvergence) reason = "--reconvergence leaves it out";
    if (!reason.empty()) {
      skipped.push_back({each.file, what.title, model_label(how), reason});
      continue;
    }
    all.push_back({&what, as_on_gpu(how), choices_of(each.saved.how), each.file});
  }
}

/// Returns the questions of all scenarios. Other runs go to a list, with the reason.
std::vector<question> questions(const std::vector<scenario>& scenarios,
                                std::optional<simt::reconvergence> only,
                                std::vector<skipped_run>& skipped) {
  std::vector<question> all;
  for (const scenario& what : scenarios) {
    const std::size_t before = all.size() + skipped.size();
    for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
      if (only && *only != model) continue;
      if (const auto how = gpu_run(what, model, skipped)) all.push_back({&what, *how});
    }
    if (all.size() + skipped.size() != before) continue;
    const std::string_view under = !only                               ? ""
                                   : *only == simt::reconvergence::its ? " under its"
                                                                       : " under stack";
    skipped.push_back(
        {readable_path(what.file), what.title, "",
         fmt::format("it has no fair run{}, which is what the GPU is compared with", under)});
  }
  return all;
}

class comparer {
 public:
  comparer(const hardware_options& options, gpu device, cuda_compiler compiler)
      : options_(options),
        compiler_(std::move(compiler)),
        code_(options.ptx),
        line_(!options.json) {
    setting_ = {std::move(device),
                compiler_.version,
                today(),
                options.trials,
                options.time.value_or(default_deadline),
                options.seed.value_or(default_seed)};
  }

  exit_status run(const std::vector<scenario>& scenarios,
                  const std::vector<counterexample_given>& counterexamples) {
    std::vector<question> asked = questions(scenarios, options_.reconvergence, results_.skipped);
    add_counterexamples(counterexamples, options_.reconvergence, asked, results_.skipped);
    leave_out_stack(asked);
    const std::vector<std::filesystem::path> runners = build(asked);
    for (std::size_t i = 0; i < asked.size() && !stop_requested; ++i) {
      if (!runners[i].empty()) compare(asked[i], runners[i]);
    }
    results_.interrupted = stop_requested;
    line_.clear();
    report();
    return status();
  }

 private:
  const hardware_options& options_;
  cuda_compiler compiler_;
  stack_code code_;
  status_line line_;
  hardware_setting setting_;
  hardware_results results_;

  void refuse(const std::string& message) {
    line_.clear();
    fmt::print(stderr, "{}\n", message);
    ++results_.refused;
  }

  /// Leaves out runs under `stack` if there can be no PTX. If only such runs were asked for, that
  /// is an error.
  void leave_out_stack(std::vector<question>& asked) {
    const std::string why = code_.why_not();
    if (why.empty()) return;
    if (options_.reconvergence == simt::reconvergence::stack) throw usage_error(why);
    for (const question& each : asked) {
      if (!each.under_stack()) continue;
      results_.skipped.push_back(
          {readable_path(each.what->file), each.what->title, model_label(each.how), why});
    }
    std::erase_if(asked, [](const question& each) { return each.under_stack(); });
  }

  /// Returns the runner of each question; an empty path if its subject cannot be compiled.
  std::vector<std::filesystem::path> build(const std::vector<question>& asked) {
    std::vector<scenario> scenarios;
    for (const question& each : asked) scenarios.push_back(*each.what);
    std::vector<std::filesystem::path> runners(asked.size());
    for (const auto& group : runner_groups(scenarios)) {
      if (stop_requested) break;
      std::set<std::filesystem::path> files;
      for (const std::size_t i : group) files.insert(scenarios[i].file);
      line_.show(fmt::format("nvcc compiles {}",
                             counted(files.size(), "scenario's subject", "scenarios' subjects")));
      try {
        std::set<std::filesystem::path> headers;
        for (const std::size_t i : group) headers.insert(subject_header(scenarios[i]));
        const auto runner =
            build_runner({headers.begin(), headers.end()}, setting_.device.architecture, compiler_);
        for (const std::size_t i : group) runners[i] = runner;
      } catch (const usage_error& error) {
        refuse(error.what());
      } catch (const simt::compile_error& error) {
        refuse(error.what());
      }
    }
    return runners;
  }

  /// Compares a run in the scenario's grid, and in the larger ones that were asked for.
  void compare(const question& asked, const std::filesystem::path& runner) {
    const scenario& what = *asked.what;
    try {
      std::optional<simt::ptx_files> ptx;
      if (asked.under_stack()) ptx = code_.of(what);
      std::string workload;
      const auto own = compare_in(what, asked, 1, {}, runner, ptx, workload);
      if (!own || options_.scale.empty()) return;
      const std::string why_not =
          asked.file.empty() ? why_not_larger(what, workload) : "a counterexample has one grid";
      if (!why_not.empty()) {
        results_.skipped.push_back(
            {readable_path(what.file), what.title, model_label(asked.how), why_not});
        return;
      }
      std::set<std::string> done;
      for (const std::uint64_t factor : options_.scale) {
        const auto grid = larger(what.grid, static_cast<std::uint32_t>(factor));
        if (!grid || !done.insert(grid_name(*grid)).second) continue;
        scenario larger_one = what;
        larger_one.grid = *grid;
        if (!compare_in(larger_one, asked, factor, own, runner, ptx, workload)) return;
      }
    } catch (const usage_error& error) {
      refuse(error.what());
    } catch (const simt::compile_error& error) {
      refuse(error.what());
    }
  }

  /// Returns what the model says; nothing, if the user has interrupted or the GPU cannot be asked.
  /// `own` is the prediction for the scenario's grid, if this is a larger one. Sets `workload` to
  /// the one that is run.
  std::optional<prediction> compare_in(const scenario& what, const question& asked,
                                       std::uint64_t factor, const std::optional<prediction>& own,
                                       const std::filesystem::path& runner,
                                       const std::optional<simt::ptx_files>& ptx,
                                       std::string& workload) {
    const run_settings& how = asked.how;
    const std::string file = asked.file.empty() ? readable_path(what.file) : asked.file;
    const auto ready = open_session(
        what, how, {.over = [] { return std::string(stop_requested ? "interrupted" : ""); }});
    if (ptx && ready->setup().grid.copies) {
      results_.skipped.push_back({file, what.title, model_label(how),
                                  "programs of before Volta have no asynchronous copies"});
      return std::nullopt;
    }
    workload = ready->setup().entry->workload;
    comparison result{file, what, how, factor, explore(*ready, file, how), {}, {}, {}, {}, {}};
    if (stop_requested) return std::nullopt;
    result.expected = {result.model.found(), result.model.complete};
    result.fingerprint = subject_fingerprint(*ready);
    if (own) result.expected = larger_prediction(result.expected, *own);
    history_judge judge(ready->object().spec);
    const auto command = runner_command(runner, what, setting_.deadline, asked.told);
    if (ptx) {
      launch(result, command, ptx->as_written, arm_order::as_written, judge);
      launch(result, command, ptx->arms_swapped, arm_order::swapped, judge);
    } else {
      result.seen = launch(file, command, judge);
    }
    if (result.seen.interrupted) return std::nullopt;
    result.end = conclude(result.expected, result.seen.counts);
    results_.compared.push_back(result);
    return result.expected;
  }

  run_result explore(session& run, const std::string& file, const run_settings& how) {
    line_.clear();
    progress_line line(!options_.json, fmt::format("{}  {}", file, model_label(how)));
    limits bounds;
    bounds.max_memory = usual_memory();
    bounds.time = options_.model_time.value_or(default_model_time);
    bounds.stop = &stop_requested;
    bounds.progress = [&line](const exploration_progress& now) {
      line.update({now.states, now.depth, now.bytes});
    };
    run_result found = check(run, bounds);
    if (!found.complete && !stop_requested) add_found_by_chance(run, bounds, found);
    return found;
  }

  /// Adds violations that single runs find. With hundreds of lanes, an exploration may take all of
  /// its time to learn what lanes have in common.
  static void add_found_by_chance(const session& run, const limits& explored, run_result& result) {
    session fresh(run.subject(), run.settings());
    limits bounds;
    bounds.max_memory = explored.max_memory;
    bounds.time = *explored.time * part_for_chance;
    bounds.stop = explored.stop;
    search_options how;
    how.kind = search_kind::swarm;
    run_result by_chance = search(fresh, bounds, how);
    const verdict_set known = result.found();
    for (violation& v : by_chance.violations) {
      if ((known & bit(v.kind)) == 0) result.violations.push_back(std::move(v));
    }
    std::ranges::stable_sort(result.violations, {}, &violation::kind);
    result.settle_verdict();
  }

  /// Launches trials. Under stack, the trials of one program are added to the run's.
  void launch(comparison& result, std::vector<std::string> command,
              const std::filesystem::path& ptx, arm_order arms, history_judge& judge) {
    if (result.seen.interrupted) return;
    command.insert(command.end(), {"--ptx", ptx.string()});
    const trials seen =
        launch(fmt::format("{}  stack, arms {}", result.file, name(arms)), command, judge);
    result.by_arms.push_back({arms, seen});
    add(result.seen, seen);
  }

  trials launch(const std::string& title, const std::vector<std::string>& command,
                history_judge& judge) {
    const std::chrono::duration<double> patience(setting_.deadline + batch_budget +
                                                 cuda_start_allowance);
    return run_trials(setting_.trials, [&](std::uint64_t first, std::uint64_t count) {
      line_.show(fmt::format("{}  on the GPU, trial {} of {}", title, first + 1, setting_.trials));
      const std::uint64_t number = (setting_.seed - 1 + first) % most_numbers + 1;
      auto mine = command;
      mine.insert(mine.end(), {"--rounds", std::to_string(std::min(count, most_of_a_process)),
                               "--seed", std::to_string(number)});
      trial_batch some = run_batch(mine, patience, stop_requested);
      judge.judge(some);
      return some;
    });
  }

  void report() const {
    if (options_.json) {
      fmt::print("{}\n", json_text(to_json(setting_, results_)));
      return;
    }
    fmt::print("{}{}", heading(setting_), hardware_table(results_, standard_output().colour));
  }

  [[nodiscard]] exit_status status() const {
    if (results_.refused != 0) return exit_status::wrong_use;
    exit_status all = results_.interrupted ? exit_status::inconclusive : exit_status::as_expected;
    for (const comparison& each : results_.compared) all = worse(all, status_of(each.end));
    return all;
  }
};

/// Only makes the PTX, for another machine.
exit_status prepare_stack(const std::vector<scenario>& scenarios,
                          const std::filesystem::path& folder) {
  require_ptx_compiler();  // once, not for each subject
  make_folder(folder, "--prepare");
  std::vector<skipped_run> skipped;
  std::set<std::filesystem::path> done;
  std::size_t made = 0;
  for (const question& each : questions(scenarios, simt::reconvergence::stack, skipped)) {
    if (stop_requested) return exit_status::inconclusive;
    try {
      if (!done.insert(subject_header(*each.what)).second) continue;
      prepare_ptx(*each.what, folder);
      ++made;
    } catch (const usage_error& error) {
      fmt::print(stderr, "{}\n", error.what());
    } catch (const simt::compile_error& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
  }
  fmt::print("PTX of {} for runs under stack; where the GPU is: warpcheck hardware … --ptx {}\n",
             counted(made, "subject", "subjects"), folder.string());
  return made == done.size() ? exit_status::as_expected : exit_status::wrong_use;
}

}  // namespace

exit_status hardware(const hardware_options& options) {
  std::vector<std::filesystem::path> files;
  std::vector<counterexample_given> counterexamples;
  for (const std::filesystem::path& each : options.scenarios) {
    if (each.extension() != ".json") {
      files.push_back(each);
    } else if (options.prepare) {
      throw usage_error(each.string() + ": --prepare takes scenarios; give it that of this file");
    } else {
      counterexamples.push_back(
          {readable_path(each),
           read_counterexample(
               each, options.trust ? trusted_sources::all : trusted_sources::own_folder)});
    }
  }
  const std::vector<scenario> scenarios =
      files.empty() && !counterexamples.empty() ? std::vector<scenario>() : read_all(files);
  if (options.prepare) {
    handle_interrupts();
    return prepare_stack(scenarios, *options.prepare);
  }
  const gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  return comparer(options, search.device, find_nvcc()).run(scenarios, counterexamples);
}

}  // namespace warpcheck
