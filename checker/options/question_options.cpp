// Describes the options of `progress`, `history` and `litmus`.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"

namespace warpcheck {

void add_progress(CLI::App& app, progress_options& options) {
  CLI::App& progress = *app.add_subcommand(
      "progress", "Answer forward-progress tests: who is sure to terminate, under which scheduler");
  progress
      .add_option("file", options.file,
                  "tests, one JSON object a line; - is standard input (docs/progress.md)")
      ->type_name("FILE");
  progress.add_option("--only", options.tests, "only the test of this name; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_choices(
      progress, "--model", progress_model_names,
      [&options](std::size_t at) { options.models.push_back(static_cast<progress_model>(at)); },
      "only under this model; repeatable");
  add_choice(
      progress, "--fairness", fairness_notion_names,
      [&options](std::size_t at) { options.notions = {static_cast<fairness_notion>(at)}; },
      "only weak, or only strong fairness");
  CLI::Option* evidence = progress.add_flag("--explain", options.evidence,
                                            "show a run for each guarantee that does not hold");
  add_json(progress, options.json);
  progress
      .add_flag("-q,--quiet", options.quiet, "print only what contradicts labels, and a summary")
      ->excludes(evidence);
  add_quantity<std::uint64_t>(progress, "--max-states", options.max_states, parse_count, "N",
                              "a test with more states is inconclusive (1M)");
  CLI::Option* scenarios =
      progress
          .add_option("--scenarios", options.scenarios,
                      "write each test to a file there, as a scenario for run and hardware")
          ->type_name("DIR");
  add_choice(
      progress, "--placement", thread_placement_names,
      [&options](std::size_t at) { options.placement = static_cast<thread_placement>(at); },
      "there, a thread is a lane of one warp (the default), or a block")
      ->needs(scenarios);
  progress.footer(
      "Exit status: 0 all as labelled, 1 not, 2 wrong use, 3 inconclusive, 4 internal defect.\n"
      "Example:\n  warpcheck progress scenarios/progress/examples.jsonl --only lockstep "
      "--explain");
}

void add_history(CLI::App& app, history_command_options& options) {
  CLI::App& history = *app.add_subcommand(
      "history", "Check a recorded history: can its operations have happened one by one?");
  history
      .add_option("file", options.file,
                  "JSON Lines: one call or return a line; - is standard input")
      ->type_name("FILE");
  history
      .add_option("--spec", options.spec,
                  "what the object does: queue, stack, map, ... (docs/histories.md)")
      ->type_name("NAME");
  history.add_option("--source", options.source, "a header with SIMT_SPEC(NAME);")
      ->type_name("HEADER");
  history
      .add_option("--consistency", options.consistency,
                  "linearizable (the default), sequential or quiescent; of transactions opaque "
                  "(the default) or strictly-serializable")
      ->type_name("KIND");
  history.add_flag("--order", options.order, "print an order that explains the history");
  history.add_flag("--only-search", options.search,
                   "only search, also where there is a faster algorithm");
  add_json(history, options.json);
  add_html(history, options.html);
  add_quantity<std::uint64_t>(history, "--max-memory", options.max_memory, parse_size, "SIZE",
                              "give up, inconclusive, at so much memory (500M, 4G)");
  add_quantity<double>(history, "--time", options.time, parse_seconds, "TIME",
                       "give up, inconclusive, after so long (90 seconds, 2m)");
  history.footer(
      "Exit status: 0 there is an order, 1 there is none, 2 wrong use, 3 inconclusive.\n"
      "Example:\n  warpcheck history recorded.jsonl --spec queue");
}

namespace {

void add_litmus_hardware(CLI::App& litmus, litmus_options& options) {
  litmus_hardware_options& hardware = options.hardware;
  const std::string group = "On a GPU (docs/litmus.md)";
  CLI::Option* flag = litmus.add_flag("--hardware", options.on_hardware,
                                      "run the tests on a GPU, and compare with the model");
  flag->group(group);
  const auto belongs = [&](CLI::Option* option) { option->needs(flag)->group(group); };
  for (const char* other : {"--memory", "--explain", "--key", "--dot", "--max-memory"}) {
    flag->excludes(litmus.get_option(other));
  }
  belongs(add_quantity<std::uint64_t>(litmus, "--instances", hardware.instances, parse_count, "N",
                                      "how often to run each test (4M)"));
  belongs(add_quantity<std::uint64_t>(litmus, "--seed", hardware.seed, parse_seed, "N",
                                      "of places, stress and delays (1)"));
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

}  // namespace

void add_litmus(CLI::App& app, litmus_options& options) {
  CLI::App& litmus = *app.add_subcommand(
      "litmus", "Answer litmus tests: what may a small PTX program do, and why not more?");
  litmus
      .add_option("tests", options.tests,
                  ".litmus files, and folders of them; - is standard input (docs/litmus.md)")
      ->type_name("FILE|DIR");
  static constexpr std::array<std::string_view, 2> models{"ptx", "sc"};
  add_choice(
      litmus, "--memory", models,
      [&options](std::size_t at) {
        options.evaluation.model = static_cast<litmus::memory_model>(at);
      },
      "ptx (the default), or sc: one instruction after the other");
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
  add_quantity<std::uint64_t>(litmus, "--max-steps", options.evaluation.most_steps, parse_count,
                              "N", "a test that needs more choices is inconclusive (20M)");
  add_quantity<double>(
      litmus, "--time", options.time, parse_seconds, "TIME",
      "a test that takes longer is inconclusive; on a GPU, is run less often (10 s)");
  add_quantity<std::uint64_t>(litmus, "--max-memory", options.max_memory, parse_size, "SIZE",
                              "a test that needs more memory is inconclusive (500M, 4G)");
  litmus.footer(
      "Exit status: 0 every statement holds (with --key: is as it says), 1 not, 2 wrong use, "
      "3 inconclusive and nothing worse, 4 internal defect. With --hardware: 0 all that was seen "
      "is allowed, 1 not, 77 no GPU.\n"
      "Example:\n  warpcheck litmus scenarios/litmus/mp.litmus --explain\n"
      "  warpcheck litmus scenarios/litmus --hardware --instances 10M\n"
      "  warpcheck litmus scenarios/litmus --hardware --build made --arch sm_90\n"
      "  warpcheck litmus --hardware --run made");
  add_litmus_hardware(litmus, options);
}

}  // namespace warpcheck
