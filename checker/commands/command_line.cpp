#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "checker/commands/commands.hpp"
#include "checker/commands/sweep.hpp"
#include "checker/console/quantities.hpp"
#include "checker/hardware/hardware.hpp"
#include "checker/measure/measure.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

constexpr std::array<std::string_view, 16> commands{
    "list", "run",      "sweep",    "check",   "exec",   "replay",  "explain", "play",
    "new",  "hardware", "progress", "history", "litmus", "measure", "cache",   "help"};

// What is said of a search, before it is known whether it fits together.
struct search_arguments {
  std::optional<std::string> kind;
  std::optional<std::uint64_t> seed, runs, steps, depth;
};

// What `run` has and `sweep` has not: files for all runs together, which each run would write.
constexpr std::array<const char*, 7> not_swept{"--verbose", "--maxfail", "--html",  "--save",
                                               "--resume",  "--sarif",   "--github"};

struct all_options {
  list_options list;
  run_options run;
  search_arguments search;
  run_options swept;  // what each run of a sweep is told
  search_arguments swept_search;
  check_options check;
  exec_options exec;
  replay_options replay;
  explain_options explain;
  play_options play;
  cache_options cache;
  new_options made;
  hardware_options hardware;
  progress_options progress;
  history_command_options history;
  litmus_options litmus;
  measure_options measure;
  std::string help;  // of which command
};

// An option whose value is parsed by one of quantities.hpp.
template <class Value>
void add_quantity(CLI::App& app, const std::string& name, std::optional<Value>& target,
                  Value (*parse)(std::string_view, const std::string&), const std::string& kind,
                  const std::string& description) {
  app.add_option_function<std::string>(
         name, [&target, parse, name](const std::string& text) { target = parse(name, text); },
         description)
      ->type_name(kind);
}

// A page for a browser, beside what is printed.
void add_html(CLI::App& app, std::optional<std::filesystem::path>& target) {
  app.add_option("--html", target,
                 "write the report to this file, as a page to step through in a browser")
      ->type_name("FILE");
}

void add_scenarios(CLI::App& app, std::vector<std::filesystem::path>& target) {
  // Not required(): CLI11 would complain of that before it names an unknown option.
  app.add_option("scenarios", target, "scenario files, and folders of them")->type_name("FILE|DIR");
}

void add_list(CLI::App& app, list_options& options) {
  CLI::App& list = *app.add_subcommand(
      "list", "Show the shipped subjects and scenarios, or the runs of some scenarios");
  add_scenarios(list, options.scenarios);
  list.add_flag("--json", options.json, "print one JSON document");
  list.footer("Example:\n  warpcheck list\n  warpcheck list scenarios/locks/tas.toml");
}

void add_search(CLI::App& run, search_arguments& search) {
  const std::string group = "Search without proof (docs/search.md)";
  run.add_option("--search", search.kind,
                 "do not explore everything: make single runs, with chance as the scheduler.\n"
                 "random: any lane next, each with the same chance;\n"
                 "pct: random priorities, with a bound on what is missed;\n"
                 "swarm: many short runs, each with a bias of its own. Never says ok")
      ->type_name("KIND")
      ->group(group);
  const auto add = [&](const std::string& name, std::optional<std::uint64_t>& target,
                       std::uint64_t (*parse)(std::string_view, const std::string&),
                       const std::string& description) {
    add_quantity<std::uint64_t>(run, name, target, parse, "N", description);
    run.get_option(name)->group(group);
  };
  add("--seed", search.seed, parse_seed, "of the first run (1); the next run has the next seed");
  add("--runs", search.runs, parse_count,
      "end after so many runs (without this and --time: after 10 seconds)");
  add("--steps", search.steps, parse_count, "cut a run off after so many steps");
  add("--depth", search.depth, parse_count, "pct: depth of the bugs that the bound is for (3)");
}

// What `run` and `check` have in common.
void add_exploration(CLI::App& run, run_options& options, search_arguments& search) {
  CLI::Option* json = run.add_flag("--json", options.json, "print one JSON document");
  CLI::Option* quiet = run.add_flag("-q,--quiet", options.quiet,
                                    "print only what is not as expected, and a summary");
  run.add_flag("-v,--verbose", options.verbose, "explain expected violations too")
      ->excludes(quiet)
      ->excludes(json);
  run.add_option("--only", options.only,
                 "only the runs of this name, stack-sc-fair (list FILE shows them); repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  run.add_option("-k", options.matching,
                 "only the runs that have this in their file or their name; repeatable")
      ->type_name("PART")
      ->allow_extra_args(false);
  add_quantity<std::uint64_t>(run, "--maxfail", options.most_unexpected, parse_count, "N",
                              "end after so many runs that are not as expected");
  run.add_flag("--first", options.first, "end each run at the first violation");
  run.add_flag("--aba", options.aba,
               "where there is no violation: tell of a compare-exchange that succeeds although\n"
               "its location was changed and changed back");
  run.add_option_function<std::string>(
         "--reduce",
         [&options](const std::string& text) { options.reduce = reductions_from(text); },
         "reductions: all (the default), none, or some of merge,symmetry,order,dead")
      ->type_name("LIST");
  run.add_flag("--deterministic{*}", options.deterministic,
               "of kernels: what they leave in memory is the same in all runs;\n"
               "=NAMES asks it of these buffers alone, with commas between");
  run.add_flag("--no-promises", options.no_promises,
               "with memory = \"ptx\": leave load buffering out; faster, and never says ok");
  add_quantity<std::uint64_t>(run, "--threads", options.threads, parse_count, "N",
                              "threads that explore a large run together (all cores)");
  add_quantity<std::uint64_t>(run, "--share-after", options.share_after, parse_count, "N",
                              "states beyond which other threads or ranks join (32768)");
  add_quantity<std::uint64_t>(run, "--max-states", options.max_states, parse_count, "N",
                              "end a run, inconclusive, after so many states");
  add_quantity<std::uint64_t>(run, "--max-memory", options.max_memory, parse_size, "SIZE",
                              "the same, at so much memory (500M, 4G)");
  add_quantity<double>(run, "--time", options.time, parse_seconds, "TIME",
                       "the same, after so long (90 seconds, 2m)");
  run.add_option("--counterexamples", options.counterexamples,
                 "write each violation to a file there, for replay")
      ->type_name("DIR");
  add_html(run, options.html);
  run.add_option("--spill", options.spill,
                 "keep states in files there, which leave main memory where that is short")
      ->type_name("DIR");
  run.add_option("--save", options.save,
                 "write each run that is stopped (by a limit, or Ctrl-C) to a file there")
      ->type_name("DIR");
  run.add_option("--resume", options.resume, "go on with runs that --save wrote there")
      ->type_name("DIR");
  const std::string group = "For continuous integration (docs/ci.md)";
  run.add_option("--results", options.results,
                 "write the results to this file, as --json prints them")
      ->type_name("FILE")
      ->group(group);
  run.add_option("--junit", options.junit, "write the results to this file, as JUnit XML")
      ->type_name("FILE")
      ->group(group);
  run.add_option("--sarif", options.sarif,
                 "write what is not as expected to this file, as SARIF 2.1.0 for code scanning")
      ->type_name("FILE")
      ->group(group);
  run.add_flag("--github", options.github,
               "print an annotation for GitHub Actions for each run that is not as expected")
      ->excludes(json)
      ->group(group);
  add_search(run, search);
}

void add_run(CLI::App& app, run_options& options, search_arguments& search) {
  CLI::App& run =
      *app.add_subcommand("run", "Check scenarios: explore all that can happen, say what is wrong");
  add_scenarios(run, options.scenarios);
  add_exploration(run, options, search);
  run.add_flag("--compiled", options.compiled,
               "check what nvcc makes of the subjects, as PTX (docs/kernels.md)");
  run.footer(
      "Exit status: 0 all as expected, 1 not, 2 wrong use, 3 inconclusive, 4 internal defect.\n"
      "Example:\n  warpcheck run scenarios/locks --time 2m\n"
      "  warpcheck run large.toml --spill /scratch --save stopped --time 1h\n"
      "  warpcheck run large.toml --spill /scratch --save stopped --resume stopped --time 1h\n"
      "  warpcheck run scenarios --junit warpcheck.xml --github\n"
      "  warpcheck run large.toml --search swarm --time 1m\n"
      "  warpcheck run large.toml --search pct --depth 2 --runs 5000 --seed 7");
}

void add_sweep(CLI::App& app, run_options& options, search_arguments& search) {
  CLI::App& sweep = *app.add_subcommand(
      "sweep", "Check many scenarios, each run in a process of its own; under mpirun on all ranks");
  sweep
      .add_option("scenarios", options.scenarios,
                  "scenario files, folders of them, and lists: text files that name one of these\n"
                  "on each line")
      ->type_name("FILE|DIR|LIST");
  add_exploration(sweep, options, search);
  for (const char* option : not_swept) sweep.remove_option(sweep.get_option(option));
  sweep.footer(
      "Exit status: as of `run`; a run whose process crashes is not as expected.\n"
      "Example:\n  warpcheck sweep scenarios/locks --time 1m --junit warpcheck.xml\n"
      "  mpirun -n 16 warpcheck sweep nightly.txt --time 10m --max-memory 4G --results all.json");
}

/// The options that each run is given: all but those that say which runs there are, and what the
/// sweep itself prints and writes.
sweep_options sweep_of(const run_options& options, const CLI::App& app) {
  sweep_options sweep{.scenarios = options.scenarios,
                      .only = options.only,
                      .matching = options.matching,
                      .json = options.json,
                      .quiet = options.quiet,
                      .results = options.results,
                      .junit = options.junit,
                      .of_run = {}};
  constexpr std::array<std::string_view, 7> own{"--json",    "--quiet", "--only", "-k",
                                                "--results", "--junit", "--help"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->get_positional() || std::ranges::find(own, name) != own.end()) continue;
    for (const std::string& value : option->results()) {
      sweep.of_run.push_back(option->get_type_size() == 0 && option->get_expected_max() == 0
                                 ? name
                                 : fmt::format("{}={}", name, value));
    }
  }
  // One thread for each rank, unless it is said: as many runs as ranks are under way at once.
  if (!options.threads) sweep.of_run.insert(sweep.of_run.end(), {"--threads", "1"});
  return sweep;
}

void add_check(CLI::App& app, check_options& options, search_arguments& search) {
  CLI::App& check = *app.add_subcommand(
      "check", "Check a kernel of a .cu or .ptx file: deadlocks, races, wrong accesses");
  check.add_option("file", options.file, "the kernel's file")->type_name("FILE");
  check.add_flag("--list", options.list, "show its kernels, and what of them is not supported");
  const std::string group = "The launch (docs/kernels.md)";
  const auto of_launch = [&](CLI::Option* option, const char* kind) {
    option->type_name(kind)->group(group);
  };
  of_launch(check.add_option("--kernel", options.kernel, "which one, where the file has several"),
            "NAME");
  of_launch(check.add_option("--grid", options.grid, "blocks: 4, or 2,2,1 (1)"), "N,N,N");
  of_launch(check.add_option("--block", options.block, "threads of a block (32)"), "N,N,N");
  add_quantity<std::uint64_t>(check, "--shared", options.shared, parse_size, "SIZE",
                              "bytes of shared memory, besides the static ones (0)");
  check.get_option("--shared")->group(group);
  check.add_flag("--cooperative", options.cooperative, "a cooperative launch")->group(group);
  of_launch(check
                .add_option("--buffer", options.buffers,
                            "an array in global memory: in=128:f32:iota; it begins as zero, iota,\n"
                            "a list of numbers (1,0,7), or a file of bytes; repeatable")
                ->allow_extra_args(false),
            "NAME=COUNT:TYPE[:FILL]");
  of_launch(check
                .add_option("--variable", options.variables,
                            "what a variable of the module holds, by its name in PTX; as --buffer")
                ->allow_extra_args(false),
            "NAME=COUNT:TYPE[:FILL]");
  of_launch(check
                .add_option("--pointer", options.pointers,
                            "an address that a buffer holds: list+16=nodes; repeatable")
                ->allow_extra_args(false),
            "PLACE=ADDRESS");
  of_launch(check
                .add_option("--arg", options.arguments,
                            "the next parameter: a buffer, a number, or a structure by offsets\n"
                            "({0:in, 8:5:u64}); repeatable")
                ->allow_extra_args(false),
            "VALUE");
  of_launch(check.add_option("--nvcc", options.flags, "one more argument for nvcc; repeatable")
                ->allow_extra_args(false),
            "FLAG");
  const auto add_model = [&](const char* name, std::optional<std::string>& target,
                             const std::vector<std::string>& names, const char* description) {
    of_launch(check.add_option(name, target, description)->check(CLI::IsMember(names)), "MODEL");
  };
  add_model("--reconvergence", options.reconvergence, {"its", "stack"},
            "its or stack (what the target of the PTX has)");
  add_model("--memory", options.memory, {"sc", "ptx"}, "sc or ptx (first sc, then ptx)");
  add_exploration(check, options.run, search);
  check.footer(
      "Exit status: as for run.\n"
      "Example:\n  warpcheck check kernel.cu --list\n"
      "  warpcheck check kernel.cu --kernel scan --grid 2 --block 64 \\\n"
      "      --buffer in=128:f32:iota --buffer out=128:f32 --arg in --arg out --arg 128");
}

void add_exec(CLI::App& app, exec_options& options, search_arguments& search) {
  CLI::App& exec =
      *app.add_subcommand("exec", "Run a CUDA program without a GPU, and check what it launches");
  exec.prefix_command();
  const std::string group = "Launches (docs/exec.md)";
  const auto add = [&](const std::string& name, std::optional<std::uint64_t>& target,
                       const std::string& description) {
    add_quantity<std::uint64_t>(exec, name, target, parse_count, "N", description);
    exec.get_option(name)->group(group);
  };
  add("--launch", options.launch, "check only the launch of this number, from 1");
  exec.add_option("--kernel-regex", options.kernel_regex,
                  "check only kernels whose name in CUDA has a match; kns=PART and kne=NAME\n"
                  "name a part of it, or all of it")
      ->type_name("REGEX")
      ->group(group);
  add("--launch-skip", options.launch_skip,
      "leave out the first so many of the launches that the other options name");
  add("--launch-count", options.launch_count, "check so many launches at most");
  add("--shrink", options.shrink, "check so many blocks of a grid at most");
  add_quantity<double>(exec, "--launch-time", options.launch_time, parse_seconds, "TIME",
                       "how long it may take to carry a launch out (60 s)");
  exec.get_option("--launch-time")->group(group);
  exec.add_option("--launches", options.launches,
                  "keep the launches there, as scenarios for warpcheck run")
      ->type_name("DIR")
      ->group(group);
  add_exploration(exec, options.run, search);
  exec.get_option("--time")->description("end a run, inconclusive, after so long (60 seconds)");
  exec.footer(
      "The options stand in front of the program.\n"
      "Exit status: as for run; 1 also where the program fails.\n"
      "Example:\n  warpcheck exec ./program input.txt\n"
      "  warpcheck exec --kernel-regex scan --shrink 2 ./program");
}

void add_replay(CLI::App& app, replay_options& options) {
  CLI::App& replay = *app.add_subcommand("replay", "Carry out a counterexample again");
  replay.add_option("file", options.counterexample, "written by run --counterexamples")
      ->type_name("FILE");
  replay.add_flag("--step", options.step, "one step at a time");
  replay.add_flag("--trust", options.trust,
                  "run its source also where that is outside of the file's own folder");
  replay.add_flag("--json", options.json, "print one JSON document");
  add_html(replay, options.html);
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
  explain.add_flag("--json", options.json, "print one JSON document");
  CLI::Option* graph = explain.add_option(
      "--graph", options.graph,
      "instead, draw the states of a small scenario (up to 400): SVG by Graphviz,\n"
      "or its input where the name ends in .dot");
  graph->type_name("FILE");
  explain.add_option("--only", options.only, "with --graph, the run of this name (the first)")
      ->type_name("NAME")
      ->needs(graph);
  explain.footer(
      "Example:\n  warpcheck explain scenarios/locks/tas.toml\n"
      "  warpcheck explain scenarios/locks/tas.toml --graph tas.svg --only its-sc-fair");
}

void add_new(CLI::App& app, new_options& options) {
  CLI::App& made = *app.add_subcommand(
      "new", "Write a lock to begin with, NAME.hpp, and a scenario that checks it, NAME.toml");
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
  play.add_option("--only", options.only, "the run of this name (the first)")->type_name("NAME");
  play.footer("Example:\n  warpcheck play scenarios/locks/tas.toml");
}

// "warpcheck help run" is "warpcheck run --help".
void add_help(CLI::App& app, std::string& target) {
  CLI::App& help = *app.add_subcommand("help", "Show the options of a command");
  help.add_option("command", target, "its name")->type_name("COMMAND");
}

// The value of `text` in a list of names, upper and lower case alike.
template <class Value, std::size_t N>
Value one_of(std::string_view option, const std::string& text,
             const std::array<std::string_view, N>& names) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  for (std::size_t i = 0; i < N; ++i) {
    if (std::ranges::equal(names[i], text, same)) return static_cast<Value>(i);
  }
  throw usage_error(
      fmt::format("{}: there is no \"{}\"; it is one of {}", option, text, fmt::join(names, ", ")));
}

void add_hardware(CLI::App& app, hardware_options& options) {
  CLI::App& hardware =
      *app.add_subcommand("hardware", "Run scenarios on a GPU, and compare with the model");
  add_scenarios(hardware, options.scenarios);
  hardware.add_flag("--json", options.json, "print one JSON document");
  hardware
      .add_option_function<std::string>(
          "--trials",
          [&options](const std::string& text) { options.trials = parse_count("--trials", text); },
          "launches of each run (1000)")
      ->type_name("N");
  add_quantity<std::uint64_t>(hardware, "--seed", options.seed, parse_count, "N",
                              "of what is left to chance: delays, and who begins when (1)");
  hardware
      .add_option_function<std::vector<std::string>>(
          "--scale",
          [&options](const std::vector<std::string>& all) {
            for (const std::string& text : all) {
              options.scale.push_back(parse_count("--scale", text));
            }
          },
          "also in grids so many times as large as the scenario's, in each dimension in\n"
          "which it has more than one; repeatable")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_quantity<double>(hardware, "--model-time", options.model_time, parse_seconds, "TIME",
                       "how long the model of a run is explored (60)");
  add_quantity<double>(hardware, "--time", options.time, parse_seconds, "TIME",
                       "how long a launch may take before it counts as a hang");
  hardware
      .add_option_function<std::string>(
          "--reconvergence",
          [&options](const std::string& text) {
            constexpr std::array<std::string_view, 2> names{"stack", "its"};
            options.reconvergence = one_of<simt::reconvergence>("--reconvergence", text, names);
          },
          "only runs under its, or only those under stack")
      ->type_name("MODEL");
  CLI::Option* ptx = hardware.add_option("--ptx", options.ptx,
                                         "PTX for runs under stack, from where --prepare wrote it");
  ptx->type_name("DIR");
  hardware
      .add_option("--prepare", options.prepare,
                  "only write PTX for runs under stack there; needs no GPU")
      ->type_name("DIR")
      ->excludes(ptx);
  hardware.footer(
      "Exit status: 77 without a GPU; else as for run.\n"
      "Example:\n  warpcheck hardware scenarios/locks");
}

void add_progress(CLI::App& app, progress_options& options) {
  CLI::App& progress = *app.add_subcommand(
      "progress", "Answer forward-progress tests: who is sure to terminate, under which scheduler");
  progress.add_option("file", options.file, "tests, one JSON object a line (docs/progress.md)")
      ->type_name("FILE");
  progress.add_option("--test", options.tests, "only the test of this id; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  progress
      .add_option_function<std::vector<std::string>>(
          "--model",
          [&options](const std::vector<std::string>& all) {
            for (const std::string& text : all) {
              options.models.push_back(
                  one_of<progress_model>("--model", text, progress_model_names));
            }
          },
          "only this model: HSA, OBE, HSA_OBE, LOBE, FAIR; repeatable")
      ->type_name("M")
      ->allow_extra_args(false);
  progress
      .add_option_function<std::string>(
          "--fairness",
          [&options](const std::string& text) {
            options.notions = {one_of<fairness_notion>("--fairness", text, fairness_notion_names)};
          },
          "only weak, or only strong fairness")
      ->type_name("F");
  CLI::Option* evidence = progress.add_flag("--evidence", options.evidence,
                                            "show a run for each guarantee that does not hold");
  progress.add_flag("--json", options.json, "print one JSON document");
  progress
      .add_flag("-q,--quiet", options.quiet, "print only what contradicts labels, and a summary")
      ->excludes(evidence);
  progress
      .add_option_function<std::string>(
          "--max-states",
          [&options](const std::string& text) {
            options.max_states = parse_count("--max-states", text);
          },
          "a test with more states is inconclusive (1M)")
      ->type_name("N");
  CLI::Option* scenarios =
      progress
          .add_option("--scenarios", options.scenarios,
                      "write each test to a file there, as a scenario for run and hardware")
          ->type_name("DIR");
  progress
      .add_option_function<std::string>(
          "--placement",
          [&options](const std::string& text) {
            options.placement =
                one_of<thread_placement>("--placement", text, thread_placement_names);
          },
          "there, a thread is a lane of one warp (the default), or a block")
      ->type_name("lane|block")
      ->needs(scenarios);
  progress.footer(
      "Exit status: 0 all as labelled, 1 not, 2 wrong use, 3 inconclusive, 4 internal defect.\n"
      "Example:\n  warpcheck progress scenarios/progress/examples.jsonl --test lockstep "
      "--evidence");
}

void add_history(CLI::App& app, history_command_options& options) {
  CLI::App& history = *app.add_subcommand(
      "history", "Check a recorded history: can its operations have happened one by one?");
  history.add_option("file", options.file, "JSON Lines: one call or return a line")
      ->type_name("FILE");
  history
      .add_option("--spec", options.spec,
                  "what the object does: queue, stack, map, ... (docs/histories.md)")
      ->type_name("NAME");
  history.add_option("--source", options.source, "a header with SIMT_SPEC(NAME);")
      ->type_name("HEADER");
  history
      .add_option("--consistency", options.consistency,
                  "linearizable (the default), sequential or quiescent")
      ->type_name("KIND");
  history.add_flag("--order", options.order, "print an order that explains the history");
  history.add_flag("--search", options.search,
                   "only search, also where there is a faster algorithm");
  history.add_flag("--json", options.json, "print one JSON document");
  add_html(history, options.html);
  add_quantity<std::uint64_t>(history, "--max-memory", options.max_memory, parse_size, "SIZE",
                              "give up, inconclusive, at so much memory (500M, 4G)");
  add_quantity<double>(history, "--time", options.time, parse_seconds, "TIME",
                       "the same, after so long (90 seconds, 2m)");
  history.footer(
      "Exit status: 0 there is an order, 1 there is none, 2 wrong use, 3 inconclusive.\n"
      "Example:\n  warpcheck history recorded.jsonl --spec queue");
}

void add_litmus_hardware(CLI::App& litmus, litmus_options& options) {
  litmus_hardware_options& hardware = options.hardware;
  const std::string group = "On a GPU (docs/litmus.md)";
  CLI::Option* flag = litmus.add_flag("--hardware", options.on_hardware,
                                      "run the tests on a GPU, and compare with the model");
  flag->group(group);
  const auto belongs = [&](CLI::Option* option) { option->needs(flag)->group(group); };
  for (const char* other : {"--model", "--explain", "--key", "--dot"}) {
    flag->excludes(litmus.get_option(other));
  }
  belongs(litmus
              .add_option_function<std::string>(
                  "--instances",
                  [&hardware](const std::string& text) {
                    hardware.instances = parse_count("--instances", text);
                  },
                  "how often to run each test (4M)")
              ->type_name("N"));
  belongs(
      litmus
          .add_option_function<std::string>(
              "--seed",
              [&hardware](const std::string& text) { hardware.seed = parse_seed("--seed", text); },
              "of places, stress and delays (1)")
          ->type_name("N"));
  CLI::Option* build =
      litmus.add_option("--build", hardware.build, "only compile the tests, into this folder");
  build->type_name("DIR");
  belongs(build);
  CLI::Option* run =
      litmus.add_option("--run", hardware.run, "run what was compiled into this folder");
  run->type_name("DIR")->excludes(build);
  belongs(run);
  CLI::Option* architecture = litmus.add_option(
      "--arch", hardware.architecture, "compile for sm_90, ... (that of the GPU that is here)");
  architecture->type_name("ARCH")->needs(build);
  belongs(architecture);
}

void add_litmus(CLI::App& app, litmus_options& options) {
  CLI::App& litmus = *app.add_subcommand(
      "litmus", "Answer litmus tests: what may a small PTX program do, and why not more?");
  litmus.add_option("tests", options.tests, ".litmus files, and folders of them (docs/litmus.md)")
      ->type_name("FILE|DIR");
  litmus
      .add_option_function<std::string>(
          "--model",
          [&options](const std::string& text) {
            constexpr std::array<std::string_view, 2> names{"ptx", "sc"};
            options.evaluation.model = one_of<litmus::memory_model>("--model", text, names);
          },
          "ptx (the default), or sc: one instruction after the other")
      ->type_name("M");
  CLI::Option* explain = litmus.add_flag("--explain", options.explain,
                                         "show a witness, or why the model forbids the outcome");
  litmus
      .add_option("--key", options.key,
                  "answers to compare with; columns file, expected_witness_or_holds, liveness")
      ->type_name("CSV");
  CLI::Option* json = litmus.add_flag("--json", options.json, "print one JSON document");
  add_html(litmus, options.html);
  CLI::Option* dot =
      litmus.add_flag("--dot", options.dot, "print an execution of each test, for Graphviz")
          ->excludes(json)
          ->excludes(explain);
  litmus.add_flag("-q,--quiet", options.quiet, "print only what is not as expected, and a summary")
      ->excludes(json)
      ->excludes(dot)
      ->excludes(explain);
  litmus
      .add_option_function<std::string>(
          "--rounds",
          [&options](const std::string& text) {
            options.evaluation.rounds = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(parse_count("--rounds", text), 1000));
          },
          "rounds to follow of loops that change something in each (4)")
      ->type_name("N");
  litmus
      .add_option_function<std::string>(
          "--max-steps",
          [&options](const std::string& text) {
            options.evaluation.most_steps = parse_count("--max-steps", text);
          },
          "a test that needs more choices is inconclusive (20M)")
      ->type_name("N");
  add_quantity<double>(
      litmus, "--time", options.time, parse_seconds, "TIME",
      "a test that takes longer is inconclusive; on a GPU, is run less often (10 s)");
  litmus.footer(
      "Exit status: 0 every statement holds (with --key: is as it says), 1 not, 2 wrong use,\n"
      "3 inconclusive and nothing worse, 4 internal defect. With --hardware: 0 all that was seen\n"
      "is allowed, 1 not, 77 no GPU.\n"
      "Example:\n  warpcheck litmus scenarios/litmus/mp.litmus --explain\n"
      "  warpcheck litmus scenarios/litmus --hardware --instances 10M\n"
      "  warpcheck litmus scenarios/litmus --hardware --build made --arch sm_90\n"
      "  warpcheck litmus --hardware --run made");
  add_litmus_hardware(litmus, options);
}

/// "1,8,16"; throws usage_error.
std::vector<std::uint64_t> parse_counts(std::string_view option, const std::string& text,
                                        std::uint64_t most) {
  std::vector<std::uint64_t> all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(parse_count(option, text.substr(begin, end - begin)));
    if (all.back() > most) {
      throw usage_error(fmt::format("{}: {} is more than {}", option, all.back(), most));
    }
    begin = end + 1;
  }
  return all;
}

void add_measure(CLI::App& app, measure_options& options) {
  CLI::App& measure = *app.add_subcommand(
      "measure", "Measure on a GPU how fast locks and others are (docs/hardware.md)");
  add_scenarios(measure, options.scenarios);
  const auto add = [&](const std::string& name, const std::string& kind, auto&& take,
                       const std::string& description) {
    measure.add_option_function<std::string>(name, take, description)->type_name(kind);
  };
  measure
      .add_option("--benchmark", options.benchmark,
                  "counter: increments under a lock, by threads per block (the default);\n"
                  "blocks: barriers, mutexes, semaphores, by blocks, one client in each;\n"
                  "accesses: volatile and atomic reads and writes (needs no scenarios);\n"
                  "table: a hash table with locks, by buckets (needs no scenarios);\n"
                  "list: a sorted list with locks, by entry points (needs no scenarios)")
      ->type_name("NAME");
  add(
      "--blocks", "N,N...",
      [&options](const std::string& text) {
        options.blocks = parse_counts("--blocks", text, 1U << 30);
      },
      "numbers of blocks (1,8,16,32; for blocks: 1,2,4...1024)");
  add(
      "--threads", "N,N...",
      [&options](const std::string& text) {
        options.threads = parse_counts("--threads", text, 1024);
      },
      "numbers of threads per block (32,64,128,256,512,1024; for blocks and list: 128)");
  add(
      "--increments", "N",
      [&options](const std::string& text) {
        options.increments = parse_counts("--increments", text, 1U << 30)[0];
      },
      "of the counter, by all threads together (32768)");
  add(
      "--operations", "N",
      [&options](const std::string& text) {
        options.operations = parse_counts("--operations", text, 1U << 20)[0];
      },
      "of each block, for blocks and accesses (1000)");
  add(
      "--pairs", "N",
      [&options](const std::string& text) {
        options.pairs = parse_counts("--pairs", text, 1U << 30)[0];
      },
      "put into the table (26214400) or the list (262144)");
  add(
      "--buckets", "N,N...",
      [&options](const std::string& text) {
        options.buckets = parse_counts("--buckets", text, 1024);
      },
      "of the table (16,32,64,256)");
  add(
      "--entry-points", "N,N...",
      [&options](const std::string& text) {
        options.entry_points = parse_counts("--entry-points", text, 1U << 14);
      },
      "of the list (16,32,64,128,256,512,1024)");
  measure
      .add_option("--locks", options.locks,
                  "only these, for table, list and --from, such as mcs,lock_free or coupled_tas")
      ->delimiter(',')
      ->type_name("NAME,NAME...");
  add(
      "--trials", "N",
      [&options](const std::string& text) {
        options.trials = parse_counts("--trials", text, 100'000)[0];
      },
      "launches of each grid; their median is shown (10)");
  add(
      "--time", "TIME",
      [&options](const std::string& text) { options.time = parse_seconds("--time", text); },
      "how long a launch may take before it counts as a hang (10 seconds)");
  measure.add_option("--csv", options.csv, "write a line for each grid to this file")
      ->type_name("FILE");
  measure.add_option("--svg", options.svg, "write plots to files there")->type_name("DIR");
  measure.add_flag("--json", options.json, "print one JSON document, with the time of each launch");
  CLI::Option* from =
      measure
          .add_option(
              "--from", options.from,
              "measure nothing, and need no GPU: plot what --csv wrote to this file, with\n"
              "the same --benchmark; of it what --locks, --blocks, --threads, --buckets and\n"
              "--entry-points name. Needs --svg")
          ->type_name("FILE");
  for (const char* other : {"--csv", "--json", "--trials", "--time"})
    from->excludes(measure.get_option(other));
  measure.add_option("--gpu", options.gpu, "with --from, the GPU's name for the titles")
      ->type_name("NAME")
      ->needs(from);
  measure.footer(
      "Each launch is checked: the counter must have its value, no more be inside than there\n"
      "are permits, nobody leave a barrier too early, reads return what was written.\n"
      "Exit status: 0 all are right, 1 not, 2 wrong use, 3 no result, 77 no GPU.\n"
      "Example:\n  warpcheck measure scenarios/locks/tas.toml scenarios/locks/mcs.toml --svg "
      "plots\n"
      "  warpcheck measure --from docs/measurements/list.csv --benchmark list --entry-points 32 "
      "--svg plots");
}

void need_scenarios(const std::vector<std::filesystem::path>& given, std::string_view command) {
  if (given.empty()) {
    throw usage_error(fmt::format(
        "{0} needs scenario files, or folders of them; for example: warpcheck {0} scenarios/locks",
        command));
  }
}

/// Options that do not go together, and what to do about it.
std::optional<search_options> search_of(const search_arguments& given, const CLI::App& run) {
  const auto refuse_with = [&](const std::string& option, std::string_view why) {
    if (run.count(option) != 0) throw usage_error(fmt::format("{}: {}", option, why));
  };
  if (!given.kind) {
    for (const char* option : {"--seed", "--runs", "--steps", "--depth"}) {
      refuse_with(option, "belongs to a search; add --search random, pct or swarm");
    }
    return std::nullopt;
  }
  constexpr std::array<std::string_view, 3> names{"random", "pct", "swarm"};
  const auto at = std::find(names.begin(), names.end(), *given.kind);
  if (at == names.end()) {
    const auto near = closest_name(*given.kind, names);
    throw usage_error(fmt::format(
        "--search: there is no search \"{}\"; {}", *given.kind,
        near ? fmt::format("did you mean \"{}\"?", *near) : "write random, pct or swarm"));
  }
  refuse_with("--reduce", "a search follows single runs and reduces nothing; leave it out");
  refuse_with("--aba", "looks at every reachable state, which a search does not; leave it out");
  refuse_with("--max-states",
              "a search keeps no states; limit it by --runs, --steps, --time or --max-memory");
  for (const char* option : {"--spill", "--save", "--resume"}) {
    refuse_with(option, "a search keeps no states; its --seed makes it again");
  }
  search_options options;
  options.kind = static_cast<search_kind>(at - names.begin());
  if (options.kind != search_kind::pct) {
    refuse_with("--depth", fmt::format("belongs to --search pct, not to {}", *given.kind));
  }
  constexpr std::uint64_t deepest = 64;
  if (given.depth && *given.depth > deepest) {
    throw usage_error(fmt::format("--depth: {} is more than {}", *given.depth, deepest));
  }
  options.seed = given.seed.value_or(options.seed);
  options.runs = given.runs;
  options.steps = given.steps;
  options.depth = static_cast<std::uint32_t>(given.depth.value_or(options.depth));
  return options;
}

// CLI11 only says that it did not expect the word.
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

exit_status help(const CLI::App& app, const std::string& command) {
  if (command.empty()) {
    fmt::print("{}", app.help());
    return exit_status::as_expected;
  }
  check_command_name(command);
  fmt::print("{}", app.get_subcommand(command)->help("warpcheck"));
  return exit_status::as_expected;
}

// The option that a misspelt one is nearest to; CLI11 only says that it did not expect it.
void suggest_option(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const std::string& word : command->remaining()) {
      // Behind the program that is to be run stand its own.
      if (command->get_prefix_command() && !word.starts_with("--")) break;
      if (!word.starts_with("--")) continue;
      std::vector<std::string> all;
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
      }
      const std::vector<std::string_view> known(all.begin(), all.end());
      const std::string name = word.substr(0, word.find('='));
      const auto near = closest_name(name, known);
      throw usage_error(
          fmt::format("{}: there is no option {}; {}", command->get_name(), name,
                      near ? fmt::format("did you mean {}?", *near)
                           : fmt::format("`warpcheck help {}` shows them", command->get_name())));
    }
  }
}

exit_status carry_out(CLI::App& app, all_options& options) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "list") return list(options.list);
  if (name == "play" && options.play.scenario.empty()) {
    throw usage_error(
        "play needs a scenario; for example: warpcheck play scenarios/locks/tas.toml");
  }
  if (name == "play") return play(options.play);
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
  if (name == "measure" &&
      (options.measure.benchmark == "table" || options.measure.benchmark == "list")) {
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
    search_of(options.swept_search, given);  // so that a mistake is told once
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

}  // namespace

exit_status command_line(int argc, char** argv) {
  all_options options;
  CLI::App app(
      "Simulator and model checker for GPU synchronization: does it always finish, is it always "
      "right?",
      "warpcheck");
  app.set_version_flag("--version", fmt::format("warpcheck {}", warpcheck_paths::version));
  app.require_subcommand(1);
  app.footer(
      "Example:\n  warpcheck run scenarios/locks/tas.toml\n"
      "warpcheck help COMMAND shows the options of a command.");
  add_list(app, options.list);
  add_run(app, options.run, options.search);
  add_sweep(app, options.swept, options.swept_search);
  add_check(app, options.check, options.search);
  add_exec(app, options.exec, options.search);
  add_replay(app, options.replay);
  add_explain(app, options.explain);
  add_play(app, options.play);
  add_hardware(app, options.hardware);
  add_progress(app, options.progress);
  add_history(app, options.history);
  add_litmus(app, options.litmus);
  add_measure(app, options.measure);
  add_cache(app, options.cache);
  add_new(app, options.made);
  add_help(app, options.help);
  if (argc >= 2 && argv[1][0] != '-') check_command_name(argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    suggest_option(app);
    return app.exit(error) == 0 ? exit_status::as_expected : exit_status::wrong_use;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::as_expected : exit_status::wrong_use;
  }
  if (app.got_subcommand("help")) {
    app.clear();  // otherwise its help would be that of `help`
    return help(app, options.help);
  }
  return carry_out(app, options);
}

}  // namespace warpcheck
