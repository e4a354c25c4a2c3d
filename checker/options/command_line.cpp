// Parses the command line, and starts the command that it names.
#include "checker/options/command_line.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "checker/console/terminal.hpp"
#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"
#include "checker/options/description.hpp"
#include "checker/options/former_names.hpp"
#include "checker/options/mistake.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

constexpr std::array<std::string_view, 17> commands{
    "list",     "run",      "sweep",   "check",  "exec",    "replay", "explain", "play", "lesson",
    "hardware", "progress", "history", "litmus", "measure", "cache",  "new",     "help"};

void need_scenarios(const std::vector<std::filesystem::path>& given, std::string_view command) {
  if (given.empty()) {
    throw usage_error(fmt::format(
        "{0} needs scenario files, or folders of them; for example: warpcheck {0} scenarios/locks",
        command));
  }
}

// Suggests a command. CLI11 only says that it did not expect the word.
void check_command_name(std::string_view word) {
  if (std::find(commands.begin(), commands.end(), word) != commands.end()) return;
  if (word.ends_with(".toml")) {
    throw usage_error(
        fmt::format("there is no command \"{0}\"; to check that file: warpcheck run {0}", word));
  }
  const auto near = closest_name(word, commands);
  throw usage_error(fmt::format(
      "there is no command \"{}\"; {}", word,
      near ? fmt::format("did you mean \"{}\"?", *near) : "warpcheck --help shows them"));
}

// As wide as the terminal, within limits between which lines can still be read.
std::size_t help_width() { return std::clamp<std::size_t>(standard_output().columns, 60, 100); }

exit_status help(const CLI::App& app, const help_options& options) {
  const command_description program = describe(app);
  if (options.man) {
    fmt::print("{}", manual_page(program, std::string(warpcheck_paths::version)));
  } else if (options.completion) {
    fmt::print("{}", completion_script(program, *options.completion));
  } else if (options.command.empty()) {
    fmt::print("{}", help_text(program, "warpcheck", help_width()));
  } else {
    check_command_name(options.command);
    fmt::print("{}", help_text(describe(*app.get_subcommand(options.command)),
                               "warpcheck " + options.command, help_width()));
  }
  return exit_status::as_expected;
}

// Returns the text of `COMMAND --help`.
std::string help_of(const CLI::App* app, const std::string& before, CLI::AppFormatMode /*mode*/) {
  const std::string name = app->get_parent() == nullptr ? before : "warpcheck " + app->get_name();
  return help_text(describe(*app), name, help_width());
}

// The choice is kept in the environment, so that programs started from here follow it, too.
void choose_colour(std::size_t choice) {
  const bool always = choice == 1;
  const bool never = choice == 2;
  if (!always) ::unsetenv("CLICOLOR_FORCE");
  if (always) ::unsetenv("NO_COLOR");
  if (always) ::setenv("CLICOLOR_FORCE", "1", 1);
  if (never) ::setenv("NO_COLOR", "1", 1);
}

void add_colour(CLI::App& command) {
  static constexpr std::array<std::string_view, 3> choices{"auto", "always", "never"};
  add_choice(
      command, "--color", choices, choose_colour,
      "colours: where it prints to a terminal and NO_COLOR is not set (auto), always, never");
}

exit_status carry_out(CLI::App& app, all_options& options) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "list") return list(options.list);
  if (name == "play" && options.play.scenario.empty()) {
    throw usage_error(
        "play needs a scenario; for example: warpcheck play scenarios/locks/tas.toml");
  }
  if (name == "play") return play(options.play);
  if (name == "lesson") return take_lesson(options.lesson);
  if (name == "cache") return cache(options.cache);
  if (name == "new" && options.made.name.empty()) {
    throw usage_error("new needs a name; for example: warpcheck new my_lock");
  }
  if (name == "new") return make_new(options.made);
  if (name == "run") need_scenarios(options.run.scenarios, name);
  if (name == "sweep") need_scenarios(options.swept.scenarios, name);
  if (name == "replay" && options.replay.counterexample.empty()) {
    throw usage_error(
        "replay needs a counterexample; for example: warpcheck replay "
        "found/tas-stack-sc-fair-simt-deadlock.json");
  }
  if (name == "explain") need_scenarios(options.explain.scenarios, name);
  if (name == "hardware") need_scenarios(options.hardware.scenarios, name);
  if (name == "measure" && options.measure.from) return measure_from(options.measure);
  if (name == "measure" && options.measure.benchmark == "accesses") {
    return measure_accesses(options.measure);
  }
  if (name == "measure" && is_program_benchmark(options.measure.benchmark)) {
    return measure_structures(options.measure);
  }
  if (name == "measure") {
    need_scenarios(options.measure.scenarios, name);
    return measure(options.measure);
  }
  if (name == "progress" && options.progress.file.empty()) {
    throw usage_error(
        "progress needs a file of tests; for example: warpcheck progress "
        "scenarios/progress/examples.jsonl");
  }
  if (name == "progress") return progress(options.progress);
  if (name == "history") return check_recorded(options.history);
  if (name == "litmus" && options.litmus.hardware.run && !options.litmus.tests.empty()) {
    throw usage_error("--run: its folder says which tests; name none");
  }
  if (name == "litmus" && options.litmus.tests.empty() && !options.litmus.hardware.run) {
    throw usage_error(
        "litmus needs tests, or folders of them; for example: warpcheck litmus "
        "scenarios/litmus");
  }
  if (name == "litmus") return litmus_tests(options.litmus);
  if (name == "run") {
    options.run.search = search_of(options.search, *app.get_subcommands().front());
    return run(options.run);
  }
  if (name == "sweep") {
    const CLI::App& given = *app.get_subcommands().front();
    search_of(options.swept_search, given);  // a mistake in it is reported once
    return sweep(sweep_of(options.swept, given));
  }
  if (name == "check" && options.check.file.empty()) {
    throw usage_error(
        "check needs a .cu or .ptx file; for example: warpcheck check kernel.cu --list");
  }
  if (name == "check") {
    options.check.run.search = search_of(options.search, *app.get_subcommands().front());
    return check_kernel(options.check);
  }
  if (name == "exec") {
    CLI::App& exec = *app.get_subcommands().front();
    options.exec.command = exec.remaining();
    options.exec.run.search = search_of(options.search, exec);
    return exec_program(options.exec);
  }
  if (name == "replay") return replay(options.replay);
  if (name == "explain") return explain(options.explain);
  return hardware(options.hardware);
}

// Prints help or the version. Uses stdio, whose errors are checked, not C++ streams.
exit_status told_by_parser(const CLI::App& app, const CLI::Success& asked) {
  std::ostringstream output;
  std::ostringstream errors;
  app.exit(asked, output, errors);
  fmt::print("{}", output.str());
  return exit_status::as_expected;
}

}  // namespace

exit_status command_line(int argc, char** argv) {
  all_options options;
  CLI::App app(
      "Simulator and model checker for GPU synchronization: does it always finish, is it always "
      "right?",
      "warpcheck");
  app.formatter_fn(help_of);  // also used for commands
  app.set_version_flag("--version", fmt::format("warpcheck {}", warpcheck_paths::version),
                       "print the version");
  app.get_help_ptr()->description("print this help");
  app.require_subcommand(1);
  app.footer(
      "warpcheck help COMMAND shows the options of a command.\n"
      "Example:\n  warpcheck run scenarios/locks/tas.toml");
  add_list(app, options.list);
  add_run(app, options.run, options.search);
  add_sweep(app, options.swept, options.swept_search);
  add_check(app, options.check, options.search);
  add_exec(app, options.exec, options.search);
  add_replay(app, options.replay);
  add_explain(app, options.explain);
  add_play(app, options.play);
  add_lesson(app, options.lesson);
  add_hardware(app, options.hardware);
  add_progress(app, options.progress);
  add_history(app, options.history);
  add_litmus(app, options.litmus);
  add_measure(app, options.measure);
  add_cache(app, options.cache);
  add_new(app, options.made);
  add_help(app, options.help);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() != "help") add_colour(*command);
  }
  if (argc >= 2 && argv[1][0] != '-') check_command_name(argv[1]);
  const renamed_arguments given = with_names_of_today({argv + 1, argv + argc});
  for (const std::string& hint : given.hints) fmt::print(stderr, "{}\n", hint);
  try {
    app.parse(std::vector<std::string>(given.arguments.rbegin(), given.arguments.rend()));
  } catch (const CLI::Success& asked) {
    return told_by_parser(app, asked);
  } catch (const CLI::ParseError& error) {
    throw usage_error(mistake_in(app, error, given.arguments));
  }
  if (app.got_subcommand("help")) return help(app, options.help);
  return carry_out(app, options);
}

}  // namespace warpcheck
