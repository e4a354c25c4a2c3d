// Implements warpcheck run: checks scenarios, one run after the other.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "checker/commands/ci_reports.hpp"
#include "checker/commands/commands.hpp"
#include "checker/commands/run/accepted_runs.hpp"
#include "checker/commands/run/asked_run.hpp"
#include "checker/commands/run/check_run.hpp"
#include "checker/commands/run/child_jobs.hpp"
#include "checker/commands/run/joined_runs.hpp"
#include "checker/commands/run/other_model.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/tasks_line.hpp"
#include "checker/console/memory.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/kernel/compiled_subject.hpp"
#include "checker/kernel/kernel_subject.hpp"
#include "checker/report/cause/growth.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/html/page.hpp"
#include "checker/report/html/run_page.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/compile/compile.hpp"
#include "sim/files/standard_input.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

class runner {
 public:
  /// `joined` is null if there are no other ranks.
  runner(const run_options& options, ci_reports& ci, const std::vector<scenario>& scenarios,
         joined_runs* joined)
      : options_(options),
        ci_(ci),
        scenarios_(scenarios),
        checker_(options, joined, [this](const std::string& message) { lose(message); }) {
    style_ = style_for(standard_output());
    for (const scenario& subject : scenarios) {
      for (const run_settings& settings : subject.runs) {
        ++all_runs_;
        search_files_[&settings] =
            unique(fmt::format("{}-{}", simt::stem_of(subject.file).string(), settings.name));
      }
    }
  }

  exit_status run() {
    prepare();
    tasks_.emplace(!options_.json, all_runs_, "runs");
    for (const scenario& subject : scenarios_) {
      if (!run_all(subject)) break;
    }
    tasks_->clear();
    return finish();
  }

  /// In a child process: runs one of the scenarios, and returns what the parent must know about it.
  nlohmann::ordered_json run_part(std::size_t which) {
    ci_.become_part();
    tasks_.reset();
    results_ = nlohmann::ordered_json::array();
    count_ = {};
    lost_.clear();
    told_story_ = false;
    status_ = exit_status::as_expected;
    run_all(scenarios_[which]);
    if (options_.accept) accept();
    flush_output();
    return {{"status", status_},
            {"lost", lost_},
            {"told_story", told_story_},
            {"results", std::move(results_)},
            {"ci", ci_.part(scenarios_[which])},
            {"tally",
             {count_.runs, count_.expected, count_.unexpected, count_.inconclusive, count_.refused,
              count_.interrupted, count_.ended_early}}};
  }

  /// Runs all scenarios, each in a child process, so many at a time. Each child returns as run()
  /// does.
  exit_status run_in_children(std::size_t at_once) {
    prepare();
    child_jobs jobs(at_once);
    std::size_t next = 0;
    std::size_t taken = 0;
    tasks_.emplace(!options_.json, scenarios_.size(), "scenarios");
    for (;;) {
      while (next < scenarios_.size() && jobs.has_room() && !stop_requested && !has_enough()) {
        if (jobs.start()) {
          jobs.tell(run_part(next).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
          return status_;
        }
        ++next;
      }
      if (jobs.is_empty()) break;
      tasks_->show(taken);
      jobs.wait();
      tasks_->clear();
      while (const auto child = jobs.take()) take(scenarios_[taken++], *child);
    }
    if (next < scenarios_.size()) {
      (has_enough() ? count_.ended_early : count_.interrupted) = true;
      if (!has_enough()) status_ = worse(status_, exit_status::inconclusive);
    }
    return finish();
  }

 private:
  const run_options& options_;
  ci_reports& ci_;
  const std::vector<scenario>& scenarios_;
  // By run: its file in the folders of --save and --resume, without extension.
  std::map<const run_settings*, std::string> search_files_;
  text_style style_;
  std::size_t all_runs_ = 0;
  std::size_t ended_runs_ = 0;
  std::optional<tasks_line> tasks_;  // none in a child
  bool explain_all_ = false;
  bool told_story_ = false;
  tally count_;
  std::set<std::string> written_;
  std::set<std::string> lost_;
  exit_status status_ = exit_status::as_expected;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  run_page page_;  // for --html
  accepted_runs accepted_;
  run_checker checker_;

  void prepare() {
    if (options_.resume) need_something_to_resume();
    // Report a path that cannot be written before anything runs.
    if (options_.html) write_page("warpcheck has not ended yet, or was ended from outside.");
    explain_all_ = options_.verbose || scenarios_.size() == 1;
    for (const scenario& subject : scenarios_) {
      for (const run_settings& settings : subject.runs) {
        style_.label =
            std::max(style_.label, width_of(run_label(readable_path(subject.file), settings)));
      }
    }
  }

  /// Writes the ends of all files, and the last lines.
  exit_status finish() {
    try {
      ci_.finish(count_.interrupted);
      if (options_.html) write_page(summary(count_, text_style()));
    } catch (const usage_error& error) {
      lose(error.what());
    }
    if (options_.json) {
      fmt::print("{}\n", json_text(results_document(results_)));
    } else {
      if (told_story_) fmt::print("\n");
      fmt::print("{}", summary(count_, style_));
    }
    if (options_.accept) accept();
    flush_output();
    return count_.refused != 0 || !lost_.empty() ? exit_status::wrong_use : status_;
  }

  [[nodiscard]] bool has_enough() const {
    return options_.most_unexpected && count_.unexpected >= *options_.most_unexpected;
  }

  /// Takes in what a child has found out.
  void take(const scenario& subject, const child_jobs::ended& child) {
    if (!options_.json) {
      fmt::print("{}{}", told_story_ && !child.output.empty() ? "\n" : "", child.output);
    }
    flush_output();
    fmt::print(stderr, "{}", child.errors);
    if (child.told.empty()) {
      const std::string why = child.signal == 0
                                  ? std::string("its process came to nothing; see above")
                                  : fmt::format("its process was ended by signal {}", child.signal);
      fmt::print(stderr, "{}: {}; run it alone, without --jobs\n", readable_path(subject.file),
                 why);
      ci_.refuse(subject, why);
      // No code of ours kills a child. The kernel does if memory is short, or a person.
      status_ = child.signal == SIGKILL ? worse(status_, exit_status::inconclusive)
                                        : exit_status::internal_defect;
      return;
    }
    const auto told = nlohmann::ordered_json::parse(child.told);
    if (status_ != exit_status::internal_defect) {
      status_ = worse(status_, told["status"].get<exit_status>());
    }
    if (!child.output.empty()) told_story_ = told["told_story"].get<bool>();
    for (const auto& message : told["lost"]) lost_.insert(message.get<std::string>());
    for (const auto& result : told["results"]) results_.push_back(result);
    ci_.take(told["ci"]);
    const auto& counts = told["tally"];
    count_.runs += counts[0].get<std::size_t>();
    count_.expected += counts[1].get<std::size_t>();
    count_.unexpected += counts[2].get<std::size_t>();
    count_.inconclusive += counts[3].get<std::size_t>();
    count_.refused += counts[4].get<std::size_t>();
    count_.interrupted = count_.interrupted || counts[5].get<bool>();
    count_.ended_early = count_.ended_early || counts[6].get<bool>();
  }

  /// Accepts what was found. Runs whose files now expect that are no surprise any more.
  void accept() {
    bool all_written = false;
    const std::vector<std::string> lines = accepted_.write(all_written);
    flush_output();
    for (const std::string& line : lines) {
      fmt::print(options_.json || !all_written ? stderr : stdout, "{}\n", line);
    }
    if (all_written && status_ == exit_status::not_expected) {
      status_ = count_.inconclusive == 0 ? exit_status::as_expected : exit_status::inconclusive;
    }
  }

  void write_page(const std::string& ending) const {
    const std::string title = scenarios_.size() == 1
                                  ? readable_path(scenarios_.front().file)
                                  : counted(scenarios_.size(), "scenario", "scenarios");
    write_whole(*options_.html, html_page(page_.document(title, ending)), "--html");
  }

  /// Makes the runs of one scenario. False: the others must not be run.
  bool run_all(const scenario& subject) {
    try {
      std::optional<scenario> of_kernel;  // translated once for all runs
      if (subject.kernel) {
        of_kernel = with_subject(subject);
      } else if (options_.compiled) {
        of_kernel = compiled_by_nvcc(subject);
      }
      for (const run_settings& settings : subject.runs) {
        if (stop_requested) {
          count_.interrupted = true;
          status_ = worse(status_, exit_status::inconclusive);
          return false;
        }
        if (has_enough()) {
          count_.ended_early = true;
          return false;
        }
        if (tasks_) tasks_->show(ended_runs_);
        run_one(of_kernel ? *of_kernel : subject, settings);
        ++ended_runs_;
      }
    } catch (const usage_error& error) {
      refuse(subject, error.what());
    } catch (const simt::compile_error& error) {
      refuse(subject, error.what());
    } catch (const simt::host_code_error& error) {
      refuse(subject, fmt::format("{}: {}", readable_path(subject.file), error.what()).c_str());
    } catch (const std::exception& error) {
      ci_.fail(error.what());
      throw;
    }
    return true;
  }

  void refuse(const scenario& subject, const char* message) {
    if (tasks_) tasks_->clear();
    ci_.refuse(subject, message);
    flush_output();
    fmt::print(stderr, "{}\n", message);
    ++count_.refused;
  }

  /// Reports a file that was asked for and cannot be written, and continues, so that nothing else
  /// is lost.
  void lose(const std::string& message) {
    if (!lost_.insert(message).second) return;
    if (tasks_) tasks_->clear();
    flush_output();
    fmt::print(stderr, "{}\n", message);
  }

  /// Throws if there is no search to resume at all. Runs that had ended when the others were saved
  /// have no file, and begin anew. If all runs do, that is a mistake.
  void need_something_to_resume() const {
    std::string example;
    for (const scenario& subject : scenarios_) {
      for (const run_settings& settings : subject.runs) {
        example = search_files_.at(&settings) + (subject.generate ? ".generated" : ".search");
        std::error_code error;
        if (std::filesystem::is_regular_file(*options_.resume / example, error)) return;
      }
    }
    throw usage_error(
        fmt::format("--resume: {} has no search to go on with, such as {}; run it with --save {} "
                    "first, and leave --resume out",
                    options_.resume->string(), example, options_.resume->string()));
  }

  void run_one(const scenario& subject, const run_settings& settings) {
    ci_.begin(subject, settings);
    if (tasks_) checker_.say_how_far(tasks_->text(ended_runs_));
    auto [ready, found, aba] = checker_.check(subject, settings, search_files_.at(&settings));
    if (tasks_) tasks_->clear();
    const bool has_shown = ready && !found.violations.empty();
    run_report report{readable_path(subject.file),
                      has_shown ? ready->subject() : subject,
                      settings,
                      std::move(found),
                      false,
                      false,
                      {},
                      {},
                      std::move(aba),
                      {}};
    report.settings.deterministic = as_asked(options_, settings).deterministic;
    if (!report.result.violations.empty()) show_in_time(*ready, report);
    if (ready && !report.result.grows.empty()) {
      names named(*ready);
      report.grows = show_growth(named, report.result);
    }
    const run_result& result = report.result;
    // What a person interrupts is not what the file expects, even if that is "inconclusive".
    const exit_status status =
        result.stopped.reason == stop_reason::interrupted
            ? exit_status::inconclusive
            : outcome(settings, {result.gravest, result.found(), result.complete});
    report.as_expected = status == exit_status::as_expected;
    report.inconclusive = status == exit_status::inconclusive;
    status_ = worse(status_, status);
    ++count_.runs;
    ++(report.as_expected    ? count_.expected
       : report.inconclusive ? count_.inconclusive
                             : count_.unexpected);

    if (options_.accept && !report.inconclusive && result.gravest != verdict::inconclusive) {
      accepted_.add(subject.file, settings, {result.gravest, result.found()}, report.as_expected);
    }
    if (options_.counterexamples && !report.shown.empty()) write_all(*ready, report);
    if (options_.json) {
      results_.push_back(to_json(report));
    } else if (is_told_in_full(report) && !report.shown.empty() && !options_.search &&
               !(options_.time && result.seconds > *options_.time)) {
      report.other_model =
          other_model(report.subject, as_asked(options_, report.settings), report.result);
    }
    ci_.end(report);
    if (options_.html && is_told(report)) page_.add(report, is_told_in_full(report));
    if (!options_.json) print(report);
    ci_.annotate(report);
  }

  /// Shows what was found. Nothing is claimed that could not be replayed.
  void show_in_time(session& ready, run_report& report) {
    names named(ready);
    limits bounds = limits_of(options_, 0);
    if (bounds.time) bounds.spent = std::min(report.result.seconds, *bounds.time);
    stop_cause why;
    try {
      overtime more(bounds);
      const asked_in_time patience(ready.stores().program, more);
      report.shown = show_all(ready, named, report.result,
                              options_.html ? show_moments::yes : show_moments::no);
      return;
    } catch (const simt::lane_automaton::given_up&) {
      why = bounds.reached(0);
    } catch (const simt::host_code_stopped& error) {
      why = bounds.host_code_was_stopped(error.what());
    }
    run_result& result = report.result;
    result.stopped = {stop_reason::not_shown,
                      fmt::format("{}, before what was found ({}) could be shown", why.text,
                                  name(result.gravest))};
    result.violations.clear();
    result.settle_verdict();
  }

  [[nodiscard]] bool is_told(const run_report& report) const {
    return !options_.quiet || !report.as_expected;
  }
  [[nodiscard]] bool is_told_in_full(const run_report& report) const {
    return is_told(report) && (explain_all_ || !report.as_expected);
  }

  void print(const run_report& report) {
    if (!is_told(report)) return;
    const bool in_full = is_told_in_full(report);
    if (told_story_) fmt::print("\n");
    fmt::print("{}", headline(report, style_));
    const std::string text = in_full ? story(report, style_) : std::string();
    told_story_ = !report.shown.empty() && !text.empty();
    fmt::print("{}", text);
    flush_output();
  }

  /// Makes a name unique, since scenarios of different folders may share one.
  std::string unique(const std::string& name) {
    std::string one = name;
    for (int n = 2; !written_.insert(one).second; ++n) one = fmt::format("{}-{}", name, n);
    return one;
  }

  void write_all(session& ready, run_report& report) {
    for (shown_violation& shown : report.shown) {
      const std::string name =
          counterexample_name(report.subject, report.settings, shown.what.kind);
      const auto file = *options_.counterexamples / (unique(name) + ".json");
      try {
        write_counterexample(file, ready, shown.what, report.file, warpcheck_paths::version);
        shown.file = readable_path(file);
        std::optional<std::filesystem::path> source = report.subject.source;
        if (report.subject.kernel) source = report.subject.kernel->file;
        shown.needs_trust = source && !is_below_folder_of(*source, file);
      } catch (const simt::file_error& error) {
        lose(fmt::format("--counterexamples: {}", error.what()));
      }
    }
  }
};

void refuse_to_accept_input(const std::vector<scenario>& scenarios) {
  for (const scenario& one : scenarios) {
    if (!simt::is_standard_input(one.file)) continue;
    throw usage_error("--accept: standard input is no file to write to; name the scenario file");
  }
}

/// Refuses to share files between the processes of --jobs, which do not know what the others write.
void refuse_to_share(const run_options& options, const std::vector<scenario>& scenarios) {
  if (options.html) {
    throw usage_error("--html: a page is written by one process; leave --jobs out");
  }
  if (!options.counterexamples) return;
  std::set<std::string> stems;
  for (const scenario& one : scenarios) {
    if (stems.insert(one.file.stem().string()).second) continue;
    throw usage_error(
        fmt::format("--counterexamples: two scenarios are named {}, and with --jobs their "
                    "counterexamples would "
                    "be, too; leave --jobs out, or rename one",
                    one.file.stem().string()));
  }
}

}  // namespace

exit_status run(const run_options& options) {
  if (ranks::are_started()) return run_on_ranks(options);
  scenarios_read all = read_each(options.scenarios);
  if (all.refused.empty()) all.scenarios = chosen(std::move(all.scenarios), options.which);
  return run_scenarios(options, all);
}

exit_status run_scenarios(const run_options& options, const scenarios_read& all,
                          joined_runs* joined) {
  const std::size_t jobs = std::min<std::size_t>(options.jobs.value_or(1), all.scenarios.size());
  if (options.accept) refuse_to_accept_input(all.scenarios);
  if (jobs > 1 && joined != nullptr) {
    throw usage_error("--jobs: ranks share the work already; leave it out under mpirun");
  }
  if (jobs > 1) refuse_to_share(options, all.scenarios);
  ci_reports ci(options, all);
  throw_refusals(all.refused);
  if (options.counterexamples) make_folder(*options.counterexamples, "--counterexamples");
  if (options.spill) make_folder(*options.spill, "--spill");
  if (options.save) make_folder(*options.save, "--save");
  handle_interrupts();
  if (jobs < 2) return runner(options, ci, all.scenarios, joined).run();
  run_options shared = options;
  const limits alone = limits_of(options, 0);
  shared.threads = options.threads.value_or(std::max<std::uint64_t>(1, alone.threads / jobs));
  shared.max_memory = options.max_memory.value_or(usual_memory() / jobs);
  return runner(shared, ci, all.scenarios, nullptr).run_in_children(jobs);
}

}  // namespace warpcheck
