// Implements warpcheck measure --from: plots earlier measurements from their CSV file. Needs no
// GPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "checker/measure/csv.hpp"
#include "checker/measure/measure.hpp"
#include "checker/measure/plots.hpp"
#include "checker/measure/programs.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

struct plotted {
  benchmark what;
  std::vector<std::string> workloads;
};

plotted plotted_named(const std::string& name) {
  if (name == "counter") return {benchmark::counter, {"counter"}};
  if (name == "blocks") return {benchmark::blocks, {"counter", "phases", "capacity"}};
  if (const program_benchmark* const of = program_benchmark_named(name))
    return {of->what, of->workloads};
  if (name == "accesses")
    throw usage_error("--from: the benchmark \"accesses\" is a table, which has no plot");
  throw usage_error(fmt::format("--benchmark: there is no benchmark \"{}\"; write {}", name,
                                fmt::join(benchmark_names, ", ")));
}

/// Returns the benchmark to which the line belongs.
std::string benchmark_of(const measurement& one) {
  if (one.workload == "counter") return "counter";
  for (const program_benchmark& of : program_benchmarks()) {
    if (std::ranges::find(of.workloads, one.workload) != of.workloads.end() &&
        std::ranges::find(of.subjects, one.subject) != of.subjects.end())
      return of.name;
  }
  return "blocks";
}

std::vector<measurement> read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  if (std::filesystem::is_regular_file(file)) text << stream.rdbuf();
  if (!stream || !std::filesystem::is_regular_file(file)) {
    throw usage_error(
        fmt::format("--from: {} cannot be read; give a file that warpcheck measure --csv wrote",
                    file.string()));
  }
  return measurements_of_csv(text.str(), file.string());
}

/// Returns what the options name, or all if they name nothing.
std::vector<measurement> chosen(std::vector<measurement> all, const measure_options& options) {
  for (const std::string& lock : options.subjects) {
    if (std::ranges::find(all, lock, &measurement::subject) != all.end()) continue;
    std::set<std::string> there;
    for (const measurement& m : all) there.insert(m.subject);
    throw usage_error(fmt::format("--subjects: {} has no \"{}\", but {}", options.from->string(),
                                  lock, fmt::join(there, ", ")));
  }
  const auto is_of = [](const auto& wanted, const auto& value) {
    return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
  };
  std::erase_if(all, [&](const measurement& m) {
    return !is_of(options.subjects, m.subject) || !is_of(options.workloads, m.workload) ||
           !is_of(options.blocks, m.blocks) || !is_of(options.threads, m.threads) ||
           !is_of(options.buckets, m.buckets) || !is_of(options.entry_points, m.entry_points) ||
           !is_of(options.keys, m.keys) || !is_of(options.bitonic_below, m.bitonic_below) ||
           !is_of(options.vertices, m.keys) || !is_of(options.particles, m.keys);
  });
  if (std::ranges::all_of(all, [](const measurement& m) { return m.seconds.empty(); })) {
    throw usage_error(
        fmt::format("--from: of {}, nothing that is asked for has a time; leave out "
                    "--subjects, --workloads, --blocks, --threads, --buckets, --entry-points, "
                    "--keys, --vertices or --particles",
                    options.from->string()));
  }
  return all;
}

/// Returns increments of a launch, operations of a block, or pairs, which are equal in all lines.
/// For other benchmarks, each line has its own numbers.
std::uint64_t operations_of(const std::vector<measurement>& all, benchmark what,
                            const measure_options& options) {
  if (what != benchmark::counter && what != benchmark::blocks && what != benchmark::table &&
      what != benchmark::list)
    return 0;
  const auto clients = [](const measurement& m) { return m.blocks * m.threads; };
  if (what == benchmark::table || what == benchmark::list) {
    const std::uint64_t pairs =
        options.pairs.value_or(what == benchmark::table ? table_pairs : list_pairs);
    for (const measurement& m : all) {
      if ((pairs + clients(m) - 1) / clients(m) == m.repeat) continue;
      throw usage_error(fmt::format(
          "--pairs: {} pairs are not {} for each of {} threads, as {} has it; give the number that "
          "was measured with",
          grouped(pairs), m.repeat, grouped(clients(m)), options.from->string()));
    }
    return pairs;
  }
  const auto operations = [&](const measurement& m) {
    return what == benchmark::counter ? clients(m) * m.repeat : m.repeat;
  };
  for (const measurement& m : all) {
    if (operations(m) == operations(all.front())) continue;
    throw usage_error(fmt::format(
        "--from: {} has lines with {} {} and with {}, which do not belong into one plot",
        options.from->string(), grouped(operations(all.front())),
        what == benchmark::counter ? "increments" : "operations", grouped(operations(m))));
  }
  return operations(all.front());
}

}  // namespace

exit_status measure_from(const measure_options& options) {
  const plotted kind = plotted_named(options.benchmark);
  if (!options.scenarios.empty()) {
    throw usage_error(
        "--from: what is plotted is in the file, so name no scenario; --subjects picks some of it, "
        "as "
        "in --subjects locks/tas");
  }
  if (!options.svg) throw usage_error("--from: say where the plots go, as in --svg plots");
  const std::vector<measurement> read_all = read(*options.from);
  for (const measurement& m : read_all) {
    if (std::ranges::find(kind.workloads, m.workload) != kind.workloads.end()) continue;
    throw usage_error(fmt::format(
        "--benchmark: {} has the workload \"{}\", which is not of the benchmark \"{}\"; add "
        "--benchmark {}",
        options.from->string(), m.workload, options.benchmark, benchmark_of(m)));
  }
  const std::vector<measurement> all = chosen(read_all, options);
  measurement_setting setting;
  setting.what = kind.what;
  setting.device.name = options.gpu;
  setting.operations = operations_of(all, kind.what, options);
  for (const std::filesystem::path& file : write_plots(*options.svg, setting, all))
    fmt::print("{}\n", file.string());
  return exit_status::as_expected;
}

}  // namespace warpcheck
