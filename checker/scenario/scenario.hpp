// The contents of a scenario file, as a value.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simt/detail/hooks.hpp>

#include "checker/scenario/kernel_launch.hpp"
#include "checker/text/usage_error.hpp"
#include "checker/verdicts/guarantee.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/lane/array_setup.hpp"
#include "sim/model/model.hpp"

namespace warpcheck {

/// Names of progress models as scenarios write them, by their numbers.
inline constexpr std::array<std::string_view, 7> progress_names{"fair",    "unfair", "obe", "hsa",
                                                                "hsa_obe", "lobe",   "cuda"};
inline constexpr std::array<std::string_view, 2> fairness_names{"weak", "strong"};

/// One `[[run]]`: the scenario under one model.
struct run_settings {
  std::string name;        // "stack-sc-fair", set by name_runs (run_names.hpp)
  std::uint32_t line = 0;  // line of the scenario file; 0: unknown
  simt::machine_model machine;
  simt::progress progress = simt::progress::fair;
  simt::fairness fairness = simt::fairness::weak;
  verdict_set check = usual_checks;
  std::optional<verdict> expect;
  std::optional<verdict_set> expect_violations;
  /// For a kernel: buffers and variables that must end alike for every schedule; empty: all.
  std::optional<std::vector<std::string>> deterministic;
};

/// An operation as a scenario writes it: "enqueue 1".
struct written_operation {
  std::string name;
  std::vector<std::int64_t> arguments;
  std::string where;  // "file:line:column"

  [[nodiscard]] std::string text() const;
};

/// Splits "enqueue 1" into its parts. Nothing, if it is not a name and up to three integers.
std::optional<written_operation> operation_from(std::string_view text);

/// `generate = { threads = 3, operations = 2 }`: all clients up to a size, instead of `threads`.
struct generated_clients {
  std::uint32_t threads = 1;
  std::uint32_t operations = 1;  // of each client, at most
};

/// `step_bound = 12`, or `step_bound = { contains = 12 }`: how many steps of its own an operation
/// may take between its call and its return.
struct step_bounds {
  std::optional<std::uint32_t> each;                        // of every operation
  std::map<std::string, std::uint32_t, std::less<>> named;  // or of those with these names

  [[nodiscard]] bool empty() const { return !each && named.empty(); }
  [[nodiscard]] std::optional<std::uint32_t> of(std::string_view operation) const {
    const auto found = named.find(operation);
    return found == named.end() ? each : found->second;
  }
};

struct scenario {
  std::filesystem::path file;
  std::string title;
  /// In place of a subject. It becomes one when the run is set up (kernel/kernel_subject.hpp), with
  /// a source, a subject and a grid of its own.
  std::optional<kernel_launch> kernel;
  /// For a scenario that was translated from PTX: what its verdicts rest on, a clause each.
  std::vector<std::string> rests_on;
  std::string subject;                          // "locks/tas", or a type of `source`
  std::optional<std::filesystem::path> source;  // absolute
  std::string workload;  // "counter", "kernel", "operations"; empty: the subject's only one
  simt::clients clients = simt::clients::lane;
  std::uint32_t repeat = 1;  // or simt::detail::for_ever
  std::optional<guarantee> claims;
  step_bounds bounds;
  /// Operations of each client of an object; empty: the workload is another one.
  std::vector<std::vector<written_operation>> threads;
  std::optional<generated_clients> generate;
  std::vector<written_operation> initial;  // operations before the clients start
  std::string spec;                        // empty: the specification that the subject names
  simt::array_setups arrays;
  simt::grid_shape grid;
  std::vector<run_settings> runs;
  /// "file:line:column" of the values of keys at the top, and of "arrays.NAME".
  std::map<std::string, std::string, std::less<>> places;

  /// Returns where a key is given, or the file, for messages.
  [[nodiscard]] std::string place_of(std::string_view key) const;
  /// Whether something is said of progress that runs can break.
  [[nodiscard]] bool claims_progress() const { return claims || !bounds.empty(); }
  [[nodiscard]] bool never_ends() const { return repeat == simt::detail::for_ever; }
};

/// Reads a scenario file; "-" is standard input, and then a `source` is relative to the working
/// directory. Throws usage_error with "file:line:column: what; remedy".
scenario read_scenario(const std::filesystem::path& file);

/// Reads a scenario's text. `file` is named in errors, and a `source` is relative to it.
scenario parse_scenario(std::string_view text, const std::filesystem::path& file);

/// Returns the scenario files that the arguments name: files as given, folders recursively, sorted;
/// each once. Throws usage_error for a file that does not exist, and for a folder without
/// scenarios.
std::vector<std::filesystem::path> scenario_files(
    const std::vector<std::filesystem::path>& arguments);

}  // namespace warpcheck
