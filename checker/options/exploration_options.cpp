// Describes what `run`, `check` and `exec` have in common (limits, reports, searches without
// proof), `run` itself, and `sweep`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"
#include "checker/text/closest_name.hpp"

namespace warpcheck {

namespace {

// Options of `run` that `sweep` lacks: files for all runs together, which each run would write.
constexpr std::array<const char*, 7> not_swept{"--verbose", "--maxfail", "--html",  "--save",
                                               "--resume",  "--sarif",   "--github"};

void add_search(CLI::App& run, search_arguments& search) {
  const std::string group = "Search without proof (docs/search.md)";
  run.add_option("--search", search.kind,
                 "do not explore everything: make single runs, with chance as the scheduler.\n"
                 "random: any lane next, each with the same chance;\n"
                 "pct: random priorities, with a bound on what is missed;\n"
                 "swarm: many short runs, each with a bias of its own. Never says ok")
      ->type_name("random|pct|swarm")
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

}  // namespace

void add_exploration(CLI::App& run, run_options& options, search_arguments& search) {
  CLI::Option* json = run.add_flag("--json", options.json, "print one JSON document");
  CLI::Option* quiet = run.add_flag("-q,--quiet", options.quiet,
                                    "print only what is not as expected, and a summary");
  run.add_flag("-v,--verbose", options.verbose, "explain expected violations too")
      ->excludes(quiet)
      ->excludes(json);
  add_run_names(run, options.which);
  add_quantity<std::uint64_t>(run, "--maxfail", options.most_unexpected, parse_count, "N",
                              "end after so many runs that are not as expected");
  run.add_flag("--first", options.first, "end each run at the first violation");
  run.add_flag("--aba", options.aba,
               "where there is no violation: tell of a compare-exchange that succeeds although "
               "its location was changed and changed back");
  run.add_option_function<std::string>(
         "--reduce",
         [&options](const std::string& text) { options.reduce = reductions_from(text); },
         "reductions: all (the default), none, or some of merge,symmetry,order,dead,fences")
      ->type_name("LIST");
  run.add_flag("--deterministic{*}", options.deterministic,
               "of kernels: what they leave in memory is the same in all runs; "
               "=NAMES asks it of these buffers alone, with commas between");
  run.add_flag("--no-promises", options.no_promises,
               "under the memory model ptx: leave load buffering out; faster, and never says ok");
  add_quantity<std::uint64_t>(run, "--threads", options.threads, parse_count, "N",
                              "threads that explore a large run together (all cores)");
  add_quantity<std::uint64_t>(run, "--share-after", options.share_after, parse_count, "N",
                              "states beyond which other threads or ranks join (32768)");
  add_quantity<std::uint64_t>(run, "--max-states", options.max_states, parse_count, "N",
                              "end a run, inconclusive, after so many states");
  add_quantity<std::uint64_t>(run, "--max-memory", options.max_memory, parse_size, "SIZE",
                              "end a run, inconclusive, at so much memory (500M, 4G)");
  add_quantity<double>(run, "--time", options.time, parse_seconds, "TIME",
                       "end a run, inconclusive, after so long (90 seconds, 2m)");
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
  add_run_models(run, options.which);
  run.add_flag("--accept", options.accept,
               "write what was found into the scenario files, as what their runs expect; comments "
               "and layout stay");
  add_quantity<std::uint64_t>(run, "--jobs", options.jobs, parse_count, "N",
                              "check so many scenario files at a time, each in a process (1)");
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
  add_run_models(sweep, options.which);
  for (const char* option : not_swept) sweep.remove_option(sweep.get_option(option));
  sweep.footer(
      "Exit status: as of `run`; a run whose process crashes is not as expected.\n"
      "Example:\n  warpcheck sweep scenarios/locks --time 1m --junit warpcheck.xml\n"
      "  mpirun -n 16 warpcheck sweep nightly.txt --time 10m --max-memory 4G --results all.json");
}

sweep_options sweep_of(const run_options& options, const CLI::App& command) {
  sweep_options sweep{.scenarios = options.scenarios,
                      .which = options.which,
                      .json = options.json,
                      .quiet = options.quiet,
                      .results = options.results,
                      .junit = options.junit,
                      .of_run = {}};
  constexpr std::array<std::string_view, 9> own{"--json",    "--quiet",         "--only",
                                                "-k",        "--reconvergence", "--memory",
                                                "--results", "--junit",         "--help"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->get_positional() || std::ranges::find(own, name) != own.end()) continue;
    for (const std::string& value : option->results()) {
      sweep.of_run.push_back(option->get_type_size() == 0 && option->get_expected_max() == 0
                                 ? name
                                 : fmt::format("{}={}", name, value));
    }
  }
  // By default, each rank uses one thread: as many runs as ranks are made at once.
  if (!options.threads) sweep.of_run.insert(sweep.of_run.end(), {"--threads", "1"});
  return sweep;
}

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

}  // namespace warpcheck
