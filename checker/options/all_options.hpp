// The options of the command line, for each command, and the functions that describe them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/commands/sweep.hpp"
#include "checker/hardware/hardware.hpp"
#include "checker/measure/measure.hpp"

namespace CLI {
class App;
}

namespace warpcheck {

/// The options of a search without proof, before it is checked whether they fit together.
struct search_arguments {
  std::optional<std::string> kind;
  std::optional<std::uint64_t> seed, runs, steps, depth;
};

struct help_options {
  std::string command;  // empty: all commands
  bool man = false;
  std::optional<std::string> completion;  // name of the shell
};

struct all_options {
  list_options list;
  run_options run;
  search_arguments search;
  run_options swept;  // options that each run of a sweep gets
  search_arguments swept_search;
  check_options check;
  exec_options exec;
  replay_options replay;
  explain_options explain;
  play_options play;
  lesson_options lesson;
  cache_options cache;
  new_options made;
  hardware_options hardware;
  progress_options progress;
  history_command_options history;
  litmus_options litmus;
  measure_options measure;
  help_options help;
};

void add_list(CLI::App& app, list_options& options);
void add_run(CLI::App& app, run_options& options, search_arguments& search);
void add_sweep(CLI::App& app, run_options& options, search_arguments& search);
void add_check(CLI::App& app, check_options& options, search_arguments& search);
void add_exec(CLI::App& app, exec_options& options, search_arguments& search);
void add_replay(CLI::App& app, replay_options& options);
void add_explain(CLI::App& app, explain_options& options);
void add_play(CLI::App& app, play_options& options);
void add_lesson(CLI::App& app, lesson_options& options);
void add_hardware(CLI::App& app, hardware_options& options);
void add_progress(CLI::App& app, progress_options& options);
void add_history(CLI::App& app, history_command_options& options);
void add_litmus(CLI::App& app, litmus_options& options);
void add_measure(CLI::App& app, measure_options& options);
void add_new(CLI::App& app, new_options& options);
void add_cache(CLI::App& app, cache_options& options);
void add_help(CLI::App& app, help_options& options);

/// Adds the options that `run`, `check` and `exec` have in common.
void add_exploration(CLI::App& command, run_options& options, search_arguments& search);

/// Returns the options that each run is given: all except those that select runs, and those for
/// what the sweep itself prints and writes.
sweep_options sweep_of(const run_options& options, const CLI::App& command);

/// Returns the search that `command` was given; none, if everything is to be explored. Throws
/// usage_error for options that do not go together.
std::optional<search_options> search_of(const search_arguments& given, const CLI::App& command);

}  // namespace warpcheck
