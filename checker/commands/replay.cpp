// Implements warpcheck replay: carries out the choices of a counterexample again.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>
#include <span>
#include <string_view>

#include "checker/commands/commands.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/explore/ends/independent_end.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/formats/trace_events.hpp"
#include "checker/report/html/page.hpp"
#include "checker/report/html/run_page.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/lane/lane_runner.hpp"
#include "sim/machine/promises/promised_store.hpp"

namespace warpcheck {

namespace {

struct replayed {
  bool source_changed = false;
  std::string lost;  // why the choices no longer show the violation; empty: they do
  shown_violation shown;
};

/// Asks what each lane would do alone. A report of lanes that wait says what others would do.
void ask_for_futures(session& run, const simt::state_words& state) {
  try {
    for (std::uint32_t lane = 0; lane < run.machine().places().lanes.size(); ++lane) {
      if (state[lane] != simt::exited) (void)run.machine().promises(state, lane);
    }
  } catch (const simt::lane_runaway&) {
    // Alone, a lane may go on without end. Then the report knows less.
  }
}

/// Asks, as the report of a SIMT deadlock does, which states can end without reconvergence.
later_questions questions_about(session& run, verdict kind) {
  if ((bit(kind) & (deadlocks | bit(verdict::livelock))) == 0) return {};
  return [&run, kind](std::span<const simt::state_words> states) {
    ask_for_futures(run, states.back());
    if (kind != verdict::simt_deadlock) return;
    independent_end judge(run);
    for (const simt::state_words& state : states | std::views::reverse) {
      if (judge.of(state) != end_search::answer::never_ends || run.machine().has_news()) return;
    }
  };
}

replayed carry_out(session& run, saved_counterexample& saved, const replay_options& options) {
  replayed result;
  result.source_changed = subject_fingerprint(run) != saved.fingerprint;
  names named(run);
  try {
    result.lost = find_choices(run, saved, questions_about(run, saved.found.kind));
    if (result.lost.empty()) {
      result.shown =
          show(run, named, saved.found, options.html ? show_moments::yes : show_moments::no);
    }
  } catch (const cannot_follow& error) {
    result.lost = error.what();
  } catch (const not_a_violation& error) {
    result.lost = error.what();
  }
  if (!result.lost.empty() && !result.source_changed) {
    throw usage_error(
        fmt::format("{}: {}; the source is the same, so this file was damaged, or written by "
                    "another version of warpcheck ({})",
                    options.counterexample.string(), result.lost, saved.written_by));
  }
  return result;
}

/// Prints lines one by one, each when Enter is pressed. At the end of the input, prints the rest.
void print_stepwise(std::string_view text) {
  bool waits = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  bool in_rows = false;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    fmt::print("{}", line);
    std::fflush(stdout);
    int key = waits && in_rows ? 0 : '\n';
    while (key != '\n' && key != EOF) key = std::getchar();
    if (key == EOF) waits = false;
    // On a terminal, Enter itself has already begun the next line.
    if (!waits || !in_rows) fmt::print("\n");
    if (line.find("──") != std::string_view::npos) in_rows = true;
  }
}

std::string note_about(const replayed& done, const saved_counterexample& saved) {
  if (!done.source_changed) return {};
  return fmt::format("The source of \"{}\" has changed since this was found.", saved.what.subject);
}

/// Writes the page. If the choices no longer lead to the violation, there is nothing to show.
void write_page(const replayed& done, const saved_counterexample& saved,
                const replay_options& options) {
  if (!done.lost.empty()) return;
  const std::string label = run_label(saved.what.file.string(), saved.settings());
  run_page page;
  page.add(done.shown, saved.what.grid, label, note_about(done, saved));
  write_whole(*options.html, html_page(page.document(label, {})), "--html");
}

void print(const replayed& done, const saved_counterexample& saved, const replay_options& options) {
  const text_style style = style_for(standard_output());
  fmt::print("{}  {}  {}\n", saved.what.file.string(), model_label(saved.settings()),
             name(saved.found.kind));
  if (done.source_changed) fmt::print("  {}\n", note_about(done, saved));
  if (!done.lost.empty()) {
    fmt::print(
        "  The choices no longer lead to the violation: {}.\n"
        "  Check it again: warpcheck run {}\n",
        done.lost, saved.what.file.string());
    return;
  }
  if (options.step) {
    fmt::print("\n");
    print_stepwise(render(done.shown.table, done.shown.ending, style.width));
    fmt::print("{}", reasons(done.shown, style));
  } else {
    fmt::print("{}", story(done.shown, style));
  }
  fmt::print("\n  Replayed: {}, {}{}.\n", counted(done.shown.how.step_count(), "step", "steps"),
             name(saved.found.kind), done.source_changed ? ", in the changed source too" : "");
}

exit_status given_up(const replay_options& options, const std::string& why) {
  if (options.json) {
    fmt::print("{}\n", json_text({{"version", json_version},
                                  {"file", options.counterexample.string()},
                                  {"reproduced", nullptr},
                                  {"interrupted", stop_requested.load()}}));
  } else {
    fmt::print(stderr, "{}: {}; whether it reproduces is not known\n",
               options.counterexample.string(), why);
  }
  return exit_status::inconclusive;
}

}  // namespace

exit_status replay(const replay_options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto why_to_stop = [&]() -> std::string {
    if (stop_requested) return "interrupted";
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (!options.time || passed.count() < *options.time) return {};
    return fmt::format("the limit of {} s is reached", *options.time);
  };
  saved_counterexample saved = read_counterexample(
      options.counterexample, options.trust ? trusted_sources::all : trusted_sources::own_folder);
  handle_interrupts();
  const simt::patience waiting{.over = why_to_stop};
  std::unique_ptr<session> ready;
  replayed done;
  try {
    ready = open_session(saved.what, saved.settings(), waiting);
    ready->stores().program.give_up_where([&] { return !why_to_stop().empty(); });
    done = carry_out(*ready, saved, options);
  } catch (const simt::lane_automaton::given_up&) {
    return given_up(options, why_to_stop());
  } catch (const simt::host_code_stopped& error) {
    const std::string reason = why_to_stop();
    return given_up(options, reason.empty() ? error.what() : reason);
  }
  if (options.html) write_page(done, saved, options);
  if (options.trace && done.lost.empty()) {
    write_whole(*options.trace, json_text(trace_events(done.shown, saved.what.grid)) + '\n',
                "--trace");
  }
  let_interrupts_end();  // stepwise output waits for Enter, so an interrupt must end it
  if (options.json) {
    nlohmann::ordered_json document{{"version", json_version},
                                    {"file", saved.what.file.string()},
                                    {"scenario", saved.what.title},
                                    {"subject", saved.what.subject},
                                    {"reconvergence", reconvergence_name(saved.settings())},
                                    {"memory", memory_name(saved.settings())},
                                    {"progress", progress_name(saved.settings())},
                                    {"fairness", fairness_name(saved.settings())},
                                    {"verdict", name(saved.found.kind)},
                                    {"source_changed", done.source_changed},
                                    {"reproduced", done.lost.empty()}};
    if (done.lost.empty()) {
      document["violation"] = to_json(done.shown, saved.what.grid);
    } else {
      document["lost"] = done.lost;
    }
    fmt::print("{}\n", json_text(document));
  } else {
    print(done, saved, options);
  }
  return done.lost.empty() ? exit_status::as_expected : exit_status::not_expected;
}

}  // namespace warpcheck
