// Describes the options of `list`, `replay`, `explain`, `play`, `new`, `cache` and `help`.
#include <array>
#include <string>
#include <string_view>

#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"

namespace warpcheck {

void add_list(CLI::App& app, list_options& options) {
  CLI::App& list = *app.add_subcommand(
      "list", "Show the shipped subjects and scenarios, or the runs of some scenarios");
  list.add_option("scenarios", options.scenarios,
                  "scenario files, and folders of them, whose runs to show; - is standard input; "
                  "or the names of shipped families (locks)")
      ->type_name("FILE|DIR|FAMILY");
  list.add_option("-k", options.matching,
                  "only runs that have this in their file or their name, and subjects that have "
                  "it in their name; repeatable")
      ->type_name("PART")
      ->allow_extra_args(false);
  add_json(list, options.json);
  list.footer(
      "Example:\n  warpcheck list\n  warpcheck list locks\n  warpcheck list -k treiber\n"
      "  warpcheck list scenarios/locks/tas.toml");
}

void add_replay(CLI::App& app, replay_options& options) {
  CLI::App& replay = *app.add_subcommand("replay", "Carry out a counterexample again");
  replay
      .add_option("file", options.counterexample,
                  "written by run --counterexamples; - is standard input")
      ->type_name("FILE");
  replay.add_flag("--step", options.step, "one step at a time");
  replay.add_flag("--trust", options.trust,
                  "run its source also where that is outside of the file's own folder");
  add_json(replay, options.json);
  add_html(replay, options.html);
  add_quantity<double>(replay, "--time", options.time, parse_seconds, "TIME",
                       "give up, inconclusive, after so long (90 seconds, 2m)");
  replay
      .add_option("--trace", options.trace,
                  "write its steps to this file, as trace events for Perfetto or chrome://tracing")
      ->type_name("FILE");
  replay.footer(
      "Example:\n  warpcheck run scenarios/locks/tas.toml --counterexamples found\n"
      "  warpcheck replay found/tas-stack-sc-fair-simt-deadlock.json --step");
}

void add_explain(CLI::App& app, explain_options& options) {
  CLI::App& explain =
      *app.add_subcommand("explain", "Show what a scenario explores: threads, operations, graph");
  add_scenarios(explain, options.scenarios);
  add_json(explain, options.json);
  explain
      .add_option("--graph", options.graph,
                  "instead, draw the states of a small scenario (up to 400), of the first run that "
                  "is meant: "
                  "SVG by Graphviz, "
                  "or its input where the name ends in .dot")
      ->type_name("FILE");
  add_run_names(explain, options.which);
  add_run_models(explain, options.which);
  add_quantity<double>(explain, "--time", options.time, parse_seconds, "TIME",
                       "how long each run is looked at (5 seconds)");
  add_quantity<std::uint64_t>(explain, "--max-states", options.max_states, parse_count, "N",
                              "how many states of each run are looked at (1M)");
  explain.footer(
      "Example:\n  warpcheck explain scenarios/locks/tas.toml\n"
      "  warpcheck explain scenarios/locks/tas.toml --graph tas.svg --only its-sc-fair");
}

void add_lesson(CLI::App& app, lesson_options& options) {
  CLI::App& lesson = *app.add_subcommand(
      "lesson", "Learn by mending: short lessons with a broken kernel each (docs/lessons.md)");
  lesson
      .add_option_function<std::string>(
          "number",
          [&options](const std::string& text) { options.number = parse_count("lesson", text); },
          "which one; without it, all are listed")
      ->type_name("N");
  CLI::Option* copy =
      lesson.add_option("--copy", options.copy, "write the broken kernel to this file");
  copy->type_name("FILE");
  CLI::Option* check =
      lesson.add_option("--check", options.check,
                        "check whether the kernel in this file is right; - is standard input");
  check->type_name("FILE")->excludes(copy);
  CLI::Option* answer =
      lesson.add_flag("--answer", options.answer, "show the answer, and where a solution is");
  answer->excludes(copy)->excludes(check);
  add_quantity<double>(lesson, "--time", options.time, parse_seconds, "TIME",
                       "with --check: end a run, inconclusive, after so long (60 seconds)");
  lesson.get_option("--time")->needs(check);
  lesson.add_flag("--reset", options.reset, "forget which lessons are done")
      ->excludes(copy)
      ->excludes(check)
      ->excludes(answer);
  lesson.footer(
      "Example:\n  warpcheck lesson\n  warpcheck lesson 2 --copy mine.hpp\n"
      "  warpcheck lesson 2 --check mine.hpp");
}

void add_new(CLI::App& app, new_options& options) {
  CLI::App& made = *app.add_subcommand(
      "new",
      "Write a lock to begin with, NAME.hpp, a scenario that checks it, NAME.toml, and tests of "
      "ctest, CMakeLists.txt");
  made.add_option("name", options.name, "its name; a folder may come before it")->type_name("NAME");
  made.footer("Example:\n  warpcheck new mine/my_lock");
}

void add_cache(CLI::App& app, cache_options& options) {
  CLI::App& cache =
      *app.add_subcommand("cache", "Show where compiled subjects are kept, and how much that is");
  CLI::Option* where = cache.add_flag("--where", options.where, "print only the folder");
  cache.add_flag("--clear", options.clear, "remove them; they are compiled again when needed")
      ->excludes(where);
}

void add_play(CLI::App& app, play_options& options) {
  CLI::App& play =
      *app.add_subcommand("play", "You are the scheduler: choose who goes next, make it fail");
  play.add_option("scenario", options.scenario, "a scenario file")->type_name("FILE");
  add_run_names(play, options.which);
  add_run_models(play, options.which);
  add_quantity<double>(play, "--time", options.time, parse_seconds, "TIME",
                       "how long the program is looked at before the first choice (2 seconds)");
  play.add_option(
          "--html", options.html,
          "instead, write a page to play in a browser to this file, for a scenario of up to "
          "2000 states")
      ->type_name("FILE");
  play.footer(
      "Example:\n  warpcheck play scenarios/locks/tas.toml\n"
      "  warpcheck play scenarios/locks/tas.toml --html tas.html");
}

// Makes "warpcheck help run" the same as "warpcheck run --help".
void add_help(CLI::App& app, help_options& options) {
  CLI::App& help = *app.add_subcommand("help", "Show the options of a command");
  help.add_option("command", options.command, "its name")->type_name("COMMAND");
  CLI::Option* man =
      help.add_flag("--man", options.man, "print the manual page of all commands, for man(1)");
  static constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};
  add_choice(
      help, "--completion", shells, [&options](std::size_t at) { options.completion = shells[at]; },
      "print what makes this shell complete commands and options")
      ->excludes(man);
  help.footer(
      "Example:\n  warpcheck help run\n  warpcheck help --man | man -l -\n"
      "  source <(warpcheck help --completion bash)");
}

}  // namespace warpcheck
