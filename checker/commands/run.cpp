// warpcheck run: checks scenarios, one run after the other.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "checker/check/check.hpp"
#include "checker/commands/asked_run.hpp"
#include "checker/commands/ci_reports.hpp"
#include "checker/commands/commands.hpp"
#include "checker/commands/generated_progress.hpp"
#include "checker/commands/joined_runs.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/progress.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/explore/aba_search.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/kernel/compiled_subject.hpp"
#include "checker/kernel/kernel_subject.hpp"
#include "checker/report/cause/growth.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/html/page.hpp"
#include "checker/report/html/run_page.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/generate_clients.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/search/search.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/compile/compile.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

/// What a neighbouring model makes of the same scenario, in one line: fair scheduling where an
/// other one made a livelock, otherwise the other reconvergence model. Empty where that is not
/// known soon.
std::string other_model(const scenario& subject, const run_settings& settings,
                        const run_result& found) {
  run_settings other = settings;
  std::string under;
  if (found.gravest == verdict::livelock && settings.progress != simt::progress::fair) {
    other.progress = simt::progress::fair;
    under = "With fair scheduling (progress = \"fair\")";
  } else if (settings.machine.reconvergence == simt::reconvergence::stack) {
    other.machine.reconvergence = simt::reconvergence::its;
    under = "Under independent thread scheduling (its)";
  } else {
    other.machine.reconvergence = simt::reconvergence::stack;
    under = "Under pre-Volta reconvergence (stack)";
  }
  limits bounds;
  bounds.max_states = 200'000;
  bounds.time = 2;  // seconds
  bounds.grace = 0.25;
  bounds.stop = &stop_requested;
  if (bounds.is_over()) return {};
  try {
    const auto ready = open_session(subject, other, {.over = [&] { return bounds.reached(0); }});
    const run_result result = check(*ready, bounds);
    if (!result.complete || (result.found() & bit(found.gravest)) != 0) return {};
    return result.gravest == verdict::ok ? fmt::format("{}: ok.", under)
                                         : fmt::format("{} there is no {}, but: {}.", under,
                                                       name(found.gravest), name(result.gravest));
  } catch (const std::exception&) {
    return {};  // it is only an aside
  }
}

class runner {
 public:
  runner(const run_options& options, ci_reports& ci, const std::vector<scenario>& scenarios,
         joined_runs* joined)
      : options_(options), ci_(ci), scenarios_(scenarios), joined_(joined) {
    const terminal screen = standard_output();
    style_.colour = screen.colour;
    for (const scenario& subject : scenarios) {
      for (const run_settings& settings : subject.runs) {
        search_files_[&settings] =
            unique(fmt::format("{}-{}", subject.file.stem().string(), settings.name));
      }
    }
  }

  exit_status run() {
    if (options_.resume) need_something_to_resume();
    // A path that cannot be written is told before anything runs.
    if (options_.html) write_page("warpcheck has not ended yet, or was ended from outside.");
    explain_all_ = options_.verbose || scenarios_.size() == 1;
    for (const scenario& subject : scenarios_) {
      for (const run_settings& settings : subject.runs) {
        style_.label =
            std::max(style_.label, width_of(run_label(readable_path(subject.file), settings)));
      }
    }
    for (const scenario& subject : scenarios_) {
      if (!run_all(subject)) break;
    }
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
    flush_output();
    return count_.refused != 0 || !lost_.empty() ? exit_status::wrong_use : status_;
  }

 private:
  const run_options& options_;
  ci_reports& ci_;
  const std::vector<scenario>& scenarios_;
  joined_runs* joined_;  // null: there are no other ranks
  // Of each run, in the folders of --save and --resume, without extension.
  std::map<const run_settings*, std::string> search_files_;
  text_style style_;
  bool explain_all_ = false;
  bool told_story_ = false;
  tally count_;
  std::set<std::string> written_;
  std::set<std::string> lost_;
  exit_status status_ = exit_status::as_expected;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  run_page page_;  // for --html

  void write_page(const std::string& ending) const {
    const std::string title = scenarios_.size() == 1
                                  ? readable_path(scenarios_.front().file)
                                  : counted(scenarios_.size(), "scenario", "scenarios");
    write_whole(*options_.html, html_page(page_.document(title, ending)), "--html");
  }

  /// The runs of one scenario; false: the others are not to be run.
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
        if (options_.most_unexpected && count_.unexpected >= *options_.most_unexpected) {
          count_.ended_early = true;
          return false;
        }
        run_one(of_kernel ? *of_kernel : subject, settings);
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
    ci_.refuse(subject, message);
    flush_output();
    fmt::print(stderr, "{}\n", message);
    ++count_.refused;
  }

  /// A file that was asked for and cannot be written: says so, and goes on, so that nothing else is
  /// lost.
  void lose(const std::string& message) {
    if (!lost_.insert(message).second) return;
    flush_output();
    fmt::print(stderr, "{}\n", message);
  }

  /// Runs that had ended when the others were saved have no file, and begin anew. That all do is a
  /// mistake.
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
    auto [ready, found, aba] =
        subject.generate ? check_generated(subject, settings) : check_one(subject, settings);
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
    if (!report.result.violations.empty()) show_in_time(*ready, report);
    if (ready && !report.result.grows.empty()) {
      names named(*ready);
      report.grows = show_growth(named, report.result);
    }
    const run_result& result = report.result;
    const exit_status status = outcome(settings, {result.gravest, result.found(), result.complete});
    report.as_expected = status == exit_status::as_expected;
    report.inconclusive = status == exit_status::inconclusive;
    status_ = worse(status_, status);
    ++count_.runs;
    ++(report.as_expected    ? count_.expected
       : report.inconclusive ? count_.inconclusive
                             : count_.unexpected);

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

  /// Nothing is claimed that could not be replayed.
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

  /// Scenarios of different folders may have the same name.
  std::string unique(const std::string& name) {
    std::string one = name;
    for (int n = 2; !written_.insert(one).second; ++n) one = fmt::format("{}-{}", name, n);
    return one;
  }

  void write_all(const session& ready, run_report& report) {
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

  struct checked {
    std::unique_ptr<session> ready;  // null: the time was over before
    run_result result;
    std::optional<benign_aba> aba;
  };

  /// `spent`: seconds of the time that it may take. `file`: where the search is kept, without
  /// folder.
  checked check_one(const scenario& subject, const run_settings& settings, double spent,
                    const std::string& file) {
    checked one;
    const limits bounds = limits_of(options_, spent);
    try {
      one.ready = open_session(subject, as_asked(options_, settings), patience_of(options_, spent));
      one.result = explore(*one.ready, spent, file);
      if (options_.aba && one.result.violations.empty()) one.aba = look_for_aba(*one.ready, spent);
    } catch (const std::bad_alloc&) {
      one.result = stopped_by(limits::no_more_memory(), bounds.seconds());
    } catch (const simt::host_code_stopped& error) {
      one.result = stopped_by(bounds.host_code_was_stopped(error.what()), bounds.seconds());
    }
    return one;
  }

  static run_result stopped_by(stop_cause why, double seconds) {
    run_result result;
    result.gravest = verdict::inconclusive;
    result.stopped = std::move(why);
    result.seconds = seconds;
    return result;
  }

  checked check_one(const scenario& subject, const run_settings& settings) {
    return check_one(subject, settings, 0, search_files_.at(&settings) + ".search");
  }

  /// The smallest clients that fail, or the last ones; numbers are of all.
  checked check_generated(const scenario& subject, const run_settings& settings) {
    const limits bounds = limits_of(options_, 0);
    std::vector<client_lists> all;
    try {
      all = generate_clients(subject, patience_of(options_, 0));
    } catch (const simt::host_code_stopped& error) {
      return {
          nullptr, stopped_by(bounds.host_code_was_stopped(error.what()), bounds.seconds()), {}};
    }
    const std::string& file = search_files_.at(&settings);
    const std::string identity =
        generated_identity(subject, as_asked(options_, settings), all, to_text(options_.reduce));
    const auto start = std::chrono::steady_clock::now();
    const auto spent = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    generated_progress made;
    made.done.assign(all.size(), false);
    run_result sum;
    if (options_.resume) {
      const auto from = *options_.resume / (file + ".generated");
      made = read_generated(from, identity, all.size());
      if (std::filesystem::exists(from)) sum.resumed = from;
    }
    generated_progress covered = made;  // with those that were stopped
    checked last;
    std::optional<benign_aba> aba;  // the first that was found
    sum.complete = true;
    sum.gravest = verdict::ok;
    for (std::size_t i = 0; i < all.size(); ++i) {
      sum.generated = {i + 1, all.size()};
      // (A report needs some session.)
      if (made.done[i] && (last.ready || i + 1 < all.size())) continue;
      scenario one = subject;
      one.generate.reset();
      one.threads = all[i];
      const bool known = made.done[i];
      last = check_one(one, settings, spent(), fmt::format("{}-{}.search", file, i + 1));
      const run_result& r = last.result;
      if (last.aba) take_in(aba, std::move(*last.aba));
      if (!known) {
        covered.add(i, r);
        if (r.complete && r.violations.empty()) made.add(i, r);
      }
      if (!r.complete && sum.complete) {
        sum.complete = false;
        sum.gravest = verdict::inconclusive;
        sum.stopped = r.stopped;
        sum.grows = r.grows;
      }
      if (!r.violations.empty()) {
        sum.violations = r.violations;
        sum.gravest = r.gravest;
        if (i + 1 < all.size()) {
          sum.complete = false;
          sum.stopped = {stop_reason::larger_clients,
                         "larger clients are not looked at once some have failed"};
        }
        break;
      }
      if (stop_requested || (options_.time && spent() > *options_.time)) {
        if (i + 1 == all.size()) break;
        sum.complete = false;
        sum.gravest = verdict::inconclusive;
        if (sum.stopped.empty()) {
          sum.stopped = stop_requested ? stop_cause(stop_reason::interrupted, "interrupted")
                                       : limits::reached_time(*options_.time);
        }
        break;
      }
    }
    sum.states = covered.states;
    sum.transitions = covered.transitions;
    sum.seconds = covered.seconds;
    sum.device_runs = covered.device_runs;
    sum.rounds = covered.rounds;
    sum.depth = covered.depth;
    sum.peak_bytes = covered.peak_bytes;
    if (options_.save && !sum.complete && sum.violations.empty()) {
      try {
        sum.saved = *options_.save / (file + ".generated");
        save_generated(*sum.saved, identity, made);
      } catch (const usage_error& error) {
        sum.saved.reset();
        lose(error.what());
      }
    }
    last.result = std::move(sum);
    last.aba = last.result.violations.empty() ? std::move(aba) : std::nullopt;
    return last;
  }

  /// What was found for one combination of clients, beside what earlier ones had.
  static void take_in(std::optional<benign_aba>& sum, benign_aba one) {
    if (!sum) {
      sum = std::move(one);
      return;
    }
    sum->states += one.states;
    if (sum->found) return;
    one.states = sum->states;
    if (!one.found && !sum->complete) {
      one.complete = false;
      one.stopped = sum->stopped;
    }
    sum = std::move(one);
  }

  benign_aba look_for_aba(session& ready, double spent) {
    const limits bounds = limits_of(options_, spent);
    const aba_search_result found = search_aba(ready, bounds);
    benign_aba aba{{}, {}, {}, {}, found.complete, found.stopped, found.states};
    if (!found.found) return aba;
    names named(ready);
    overtime more(bounds);
    const asked_in_time patience(ready.stores().program, more);
    try {
      show_aba(ready, named, found, aba);
    } catch (const simt::lane_automaton::given_up&) {
      return {{}, {}, {}, {}, false, bounds.reached(0), found.states};
    }
    return aba;
  }

  static void show_aba(session& ready, names& named, const aba_search_result& found,
                       benign_aba& aba) {
    aba.how = follow(ready, named, *found.found);
    const std::vector<aba_finding> all = find_aba(aba.how);
    if (all.empty()) throw std::logic_error("a run with ABA has none when it is replayed");
    aba.found = all.back();
    aba.text = text_of(*aba.found, named);
    aba.table = make_table(ready, named, aba.how);
  }

  /// Whether all ranks do it together. (Of generated clients they know nothing.)
  [[nodiscard]] bool is_joined(const scenario& subject) const {
    return joined_ != nullptr && std::ranges::any_of(scenarios_, [&](const scenario& one) {
             return one.file == subject.file && !one.generate;
           });
  }

  run_result explore(session& ready, double spent, const std::string& search_file) {
    const scenario& subject = ready.subject();
    const run_settings& settings = ready.settings();
    limits bounds = limits_of(options_, spent);
    if (options_.spill) bounds.storage.spill_directory = *options_.spill;
    if (options_.save) bounds.files.save = *options_.save / search_file;
    if (options_.resume) bounds.files.resume = *options_.resume / search_file;
    progress_line line(!options_.json && !options_.quiet,
                       fmt::format("{}  {}", readable_path(subject.file), model_label(settings)));
    if (options_.search) {
      search_options how = *options_.search;
      how.progress = [&line](const search_progress& now) { line.update_search(now); };
      if (is_joined(subject)) return joined_->together(subject, settings, ready, bounds, &how);
      return search(ready, bounds, how);
    }
    bounds.progress = [&line](const exploration_progress& now) {
      line.update({now.states, now.depth, now.bytes});
    };
    // (What --save and --resume keep is the search of one process.)
    const bool is_kept = options_.save || options_.resume;
    run_result result = is_joined(subject) && !is_kept && ranks_can_share(ready)
                            ? joined_->together(subject, settings, ready, bounds, nullptr)
                            : check(ready, bounds, options_.reduce);
    if (!result.not_saved.empty()) lose("--save: " + result.not_saved);
    return result;
  }
};

}  // namespace

exit_status run(const run_options& options) {
  if (ranks::are_started()) return run_on_ranks(options);
  scenarios_read all = read_each(options.scenarios);
  if (!options.only.empty() && all.refused.empty())
    all.scenarios = select_runs(std::move(all.scenarios), options.only);
  if (!options.matching.empty() && all.refused.empty())
    all.scenarios = select_matching(std::move(all.scenarios), options.matching);
  return run_scenarios(options, all);
}

exit_status run_scenarios(const run_options& options, const scenarios_read& all,
                          joined_runs* joined) {
  ci_reports ci(options, all);
  throw_refusals(all.refused);
  if (options.counterexamples) make_folder(*options.counterexamples, "--counterexamples");
  if (options.spill) make_folder(*options.spill, "--spill");
  if (options.save) make_folder(*options.save, "--save");
  handle_interrupts();
  return runner(options, ci, all.scenarios, joined).run();
}

}  // namespace warpcheck
