// Describes the options of `hardware` and `measure`, which run on a GPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"

namespace warpcheck {

void add_hardware(CLI::App& app, hardware_options& options) {
  CLI::App& hardware =
      *app.add_subcommand("hardware", "Run scenarios on a GPU, and compare with the model");
  // Not required(): CLI11 would complain about that before it names an unknown option.
  hardware
      .add_option(
          "scenarios", options.scenarios,
          "scenario files, folders of them, and counterexamples (.json): of these, one run, "
          "with what simt::choose returns there")
      ->type_name("FILE|DIR");
  hardware.add_flag("--trust", options.trust,
                    "run a counterexample's source also outside of its own folder");
  add_json(hardware, options.json);
  add_quantity<std::uint64_t>(hardware, "--trials", options.trials, parse_count, "N",
                              "launches of each run (1000)");
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
          "also in grids so many times as large as the scenario's, in each dimension in "
          "which it has more than one; repeatable")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_quantity<double>(hardware, "--model-time", options.model_time, parse_seconds, "TIME",
                       "how long the model of a run is explored (60)");
  add_quantity<double>(hardware, "--launch-time", options.time, parse_seconds, "TIME",
                       "how long a launch may take before it counts as a hang");
  static constexpr std::array<std::string_view, 2> models{"stack", "its"};
  add_choice(
      hardware, "--reconvergence", models,
      [&options](std::size_t at) { options.reconvergence = static_cast<simt::reconvergence>(at); },
      "only runs under its, or only those under stack");
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

namespace {

/// Reads "1,8,16". Throws usage_error.
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

}  // namespace

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
                  "list: a sorted list with locks, by entry points (needs no scenarios);\n"
                  "sorting: GPU-Quicksort and others, by keys (needs no scenarios);\n"
                  "sets: lists, tables and skip lists, by different keys (needs no scenarios);\n"
                  "queues: queues, by operations (needs no scenarios);\n"
                  "graphs: breadth-first search, by vertices (needs no scenarios);\n"
                  "octree: particles sorted into an octree, by blocks (needs no scenarios);\n"
                  "stm: structures by transactions, by blocks (needs no scenarios);\n"
                  "deques: deques for stealing, by blocks (needs no scenarios);\n"
                  "move: moves between two containers, by blocks (needs no scenarios);\n"
                  "sums: prefix sums within blocks, by threads (needs no scenarios);\n"
                  "priority_queues: priority queues, by different keys (needs no scenarios);\n"
                  "work_items: the counter, where threads read which one (needs no scenarios)")
      ->type_name("NAME");
  add(
      "--blocks", "N,N...",
      [&options](const std::string& text) {
        options.blocks = parse_counts("--blocks", text, 1U << 30);
      },
      "numbers of blocks (1,8,16,32; sequences of phase one for sorting; for blocks and octree: "
      "1,2,4...1024; for stm: "
      "1,2,4,8,16,32,60,128,256,512; for deques and move: 1,2,4...128)");
  add(
      "--block-sizes", "N,N...",
      [&options](const std::string& text) {
        options.threads = parse_counts("--block-sizes", text, 1024);
      },
      "numbers of threads per block (32,64,128,256,512,1024; for blocks and list: 128; for octree: "
      "32,64,128,256)");
  add(
      "--increments", "N",
      [&options](const std::string& text) {
        options.increments = parse_counts("--increments", text, 1U << 30)[0];
      },
      "of the counter, by all threads together (32768)");
  add(
      "--operations", "N,N...",
      [&options](const std::string& text) {
        options.operations = parse_counts("--operations", text, 1U << 20);
      },
      "of each block, for blocks and accesses (1000), stm (32), deques (1024) and move (512); of a "
      "launch, for sets and priority_queues (102400), queues (10240,20480,40960,102400) and "
      "work_items (32768)");
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
  add(
      "--keys", "N,N...",
      [&options](const std::string& text) {
        options.keys = parse_counts("--keys", text, 1U << 28);
      },
      "that are sorted (1048576,4194304,16777216,67108864), or different ones of sets "
      "(100,1000,10000,100000)");
  add(
      "--bitonic-below", "N,N...",
      [&options](const std::string& text) {
        options.bitonic_below = parse_counts("--bitonic-below", text, 4096);
      },
      "for sorting: sequences that are shorter are sorted by bitonic sort in phase two of "
      "GPU-Quicksort; powers of two from 64 (1024)");
  add(
      "--vertices", "N,N...",
      [&options](const std::string& text) {
        options.vertices = parse_counts("--vertices", text, (1U << 21) - 1);
      },
      "of the network (65536,262144,2000000)");
  add(
      "--particles", "N,N...",
      [&options](const std::string& text) {
        options.particles = parse_counts("--particles", text, 1U << 20);
      },
      "of the octree (500000)");
  measure
      .add_option("--subjects", options.subjects,
                  "only these, where no scenarios are needed, such as mcs,lock_free; or of --from")
      ->delimiter(',')
      ->type_name("NAME,NAME...");
  measure
      .add_option(
          "--workloads", options.workloads,
          "only these, for sorting, sets, queues, octree and stm, such as uniform; or of --from")
      ->delimiter(',')
      ->type_name("NAME,NAME...");
  add(
      "--trials", "N",
      [&options](const std::string& text) {
        options.trials = parse_counts("--trials", text, 100'000)[0];
      },
      "launches of each grid; their median is shown (10)");
  add(
      "--launch-time", "TIME",
      [&options](const std::string& text) { options.time = parse_seconds("--launch-time", text); },
      "how long a launch may take before it counts as a hang (10 seconds)");
  measure.add_option("--csv", options.csv, "write a line for each grid to this file")
      ->type_name("FILE");
  measure.add_option("--svg", options.svg, "write plots to files there")->type_name("DIR");
  measure.add_flag("--json", options.json, "print one JSON document, with the time of each launch");
  CLI::Option* from =
      measure
          .add_option(
              "--from", options.from,
              "measure nothing, and need no GPU: plot what --csv wrote to this file, with "
              "the same --benchmark; of it what --subjects, --workloads, --blocks, --block-sizes, "
              "--buckets, --entry-points, --keys, --bitonic-below, --vertices and --particles "
              "name. "
              "Needs --svg")
          ->type_name("FILE");
  for (const char* other : {"--csv", "--json", "--trials", "--launch-time"})
    from->excludes(measure.get_option(other));
  measure.add_option("--gpu", options.gpu, "with --from, the GPU's name for the titles")
      ->type_name("NAME")
      ->needs(from);
  measure.footer(
      "Each launch is checked: the counter must have its value, no more be inside than there "
      "are permits, nobody leave a barrier too early, reads return what was written.\n"
      "Exit status: 0 all are right, 1 not, 2 wrong use, 3 no result, 77 no GPU.\n"
      "Example:\n  warpcheck measure scenarios/locks/tas.toml scenarios/locks/mcs.toml --svg "
      "plots\n"
      "  warpcheck measure --from docs/measurements/list.csv --benchmark list --entry-points 32 "
      "--svg plots");
}

}  // namespace warpcheck
