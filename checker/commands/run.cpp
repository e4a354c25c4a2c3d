// warpcheck run: checks scenarios, one run after the other.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/commands/interrupt.hpp"
#include "checker/commands/memory.hpp"
#include "checker/commands/outcome.hpp"
#include "checker/commands/progress.hpp"
#include "checker/commands/read_all.hpp"
#include "checker/explore/check.hpp"

namespace warpcheck {

namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw usage_error("--counterexamples: " + folder.string() +
                      " cannot be made: " + error.message());
  }
}

constexpr const char* reconvergence_name(const run_settings& settings) {
  return settings.machine.reconvergence == simt::reconvergence::stack ? "stack" : "its";
}

constexpr const char* progress_name(const run_settings& settings) {
  return settings.progress == simt::progress::fair ? "fair" : "unfair";
}

// "scenarios/locks/tas.toml  [stack, sc, fair]"
std::string label(const scenario& subject, const run_settings& settings) {
  return fmt::format("{}  [{}, sc, {}]", readable_path(subject.file), reconvergence_name(settings),
                     progress_name(settings));
}

struct checked {
  const scenario& subject;
  const run_settings& settings;
  run_result result;
  exit_status status = exit_status::internal_defect;
};

checked check_one(const scenario& subject, const run_settings& settings,
                  const run_options& options) {
  limits bounds;
  bounds.max_states = options.max_states;
  // Without a limit, a run that is too large would be killed and leave nothing behind.
  bounds.max_memory = options.max_memory.value_or(available_memory() / 4 * 3);
  bounds.time = options.time;
  bounds.first = options.first;
  bounds.stop = &stop_requested;
  progress_line line(!options.json && !options.quiet, label(subject, settings));
  bounds.progress = [&line](const exploration_progress& now) {
    line.update({now.states, now.depth, now.bytes});
  };
  session ready(subject, settings);
  checked one{subject, settings, check(ready, bounds)};
  one.status = outcome(settings, {one.result.gravest, one.result.found(), one.result.complete});
  return one;
}

nlohmann::ordered_json to_json(const checked& one) {
  const run_result& result = one.result;
  nlohmann::ordered_json document{{"file", readable_path(one.subject.file)},
                                  {"scenario", one.subject.title},
                                  {"subject", one.subject.subject},
                                  {"reconvergence", reconvergence_name(one.settings)},
                                  {"memory", "sc"},
                                  {"progress", progress_name(one.settings)},
                                  {"verdict", name(result.gravest)}};
  document["expected"] = one.settings.expect ? nlohmann::ordered_json(name(*one.settings.expect))
                                             : nlohmann::ordered_json();
  document["as_expected"] = one.status == exit_status::as_expected;
  document["complete"] = result.complete;
  if (!result.complete) document["stopped"] = result.stopped;
  document["states"] = result.states;
  document["transitions"] = result.transitions;
  document["seconds"] = result.seconds;
  document["peak_bytes"] = result.peak_bytes;
  document["findings"] = nlohmann::ordered_json::array();
  document["violations"] = nlohmann::ordered_json::array();
  for (const violation& v : result.violations) {
    document["violations"].push_back({{"verdict", name(v.kind)}});
  }
  return document;
}

// "deadlock, race"
std::string names_of(verdict_set set) {
  std::string text;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) == 0) continue;
    if (!text.empty()) text += ", ";
    text += verdict_names[i];
  }
  return text.empty() ? "none" : text;
}

void print(const checked& one) {
  const run_result& result = one.result;
  const char* const mark = one.status == exit_status::as_expected    ? "✓"
                           : one.status == exit_status::inconclusive ? "?"
                                                                     : "✗";
  fmt::print("{:<60} {:>18}  {}  {} states  {:.3f} s\n", label(one.subject, one.settings),
             name(result.gravest), mark, with_separators(result.states), result.seconds);
  if (!result.complete && !result.stopped.empty()) {
    fmt::print("  not explored to the end: {}\n", result.stopped);
  }
  if (one.status != exit_status::as_expected) {
    fmt::print("  expected: {}\n", name(one.settings.expect.value_or(verdict::ok)));
    if (one.settings.expect_violations) {
      fmt::print("  violations: {}; expected: {}\n", names_of(result.found()),
                 names_of(*one.settings.expect_violations));
    }
  }
  std::fflush(stdout);
}

}  // namespace

exit_status run(const run_options& options) {
  const std::vector<scenario> scenarios = read_all(options.scenarios);
  if (options.counterexamples) make_folder(*options.counterexamples);
  handle_interrupts();
  exit_status status = exit_status::as_expected;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const scenario& subject : scenarios) {
    for (const run_settings& settings : subject.runs) {
      if (stop_requested) {
        status = worse(status, exit_status::inconclusive);
        break;
      }
      const checked one = check_one(subject, settings, options);
      status = worse(status, one.status);
      if (options.json) {
        results.push_back(to_json(one));
      } else if (!options.quiet) {
        print(one);
      }
    }
  }
  if (options.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"version", 1}, {"results", results}}.dump(2));
  }
  return status;
}

}  // namespace warpcheck
