// Writes comparisons as rows with remarks, and as JSON.
#include "checker/hardware/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>

#include "checker/hardware/grid.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

std::vector<std::string_view> names_of(verdict_set set) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
  }
  return all;
}

// Replaces fmt::join, of which GCC 12 warns wherever it is inlined.
template <class Text>
std::string joined(const std::vector<Text>& parts) {
  std::string text;
  for (const Text& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

// Lists all kinds of violations, not only the gravest, since each predicts something else.
std::string model_text(const comparison& c) {
  const auto found = names_of(c.expected.violations);
  std::string text = found.empty() ? std::string(name(c.model.gravest)) : joined(found);
  if (!c.model.complete && !found.empty()) text += ", inconclusive";
  return text;
}

using row = std::array<std::string, 10>;

const row& head() {
  static const row titles{
      "scenario",     "run",       "model",        "finished",         "hang",
      "check failed", "assertion", "device error", "not linearizable", "conclusion"};
  return titles;
}

constexpr bool is_number(std::size_t column) { return column >= 3 && column <= 8; }

row row_of(const comparison& c, const std::string& run, const trial_counts& seen) {
  const auto count = [&](trial_outcome o) {
    return seen[o] == 0 ? std::string("·") : std::to_string(seen[o]);
  };
  return {c.file,
          run,
          model_text(c),
          count(trial_outcome::finished),
          count(trial_outcome::hang),
          count(trial_outcome::check_failed),
          count(trial_outcome::assertion),
          count(trial_outcome::device_error),
          count(trial_outcome::wrong_history),
          std::string(name(c.end))};
}

// Returns "its", or "its 2x1x32" in a grid larger than the scenario's.
std::string run_text(const comparison& c) {
  std::string text(reconvergence_name(c.settings));
  if (c.scale != 1) text += " " + grid_name(c.subject.grid);
  return text;
}

// Returns a row for each program that was run. The model and the conclusion are those of all
// programs, and stand in the first row.
std::vector<row> rows_of(const comparison& c) {
  const std::string run = run_text(c);
  if (c.by_arms.empty()) return {row_of(c, run, c.seen.counts)};
  std::vector<row> rows;
  for (const arm_trials& each : c.by_arms) {
    const bool is_first = rows.empty();
    rows.push_back(
        row_of(c, is_first ? run : fmt::format("  arms {}", name(each.arms)), each.seen.counts));
    if (!is_first) rows.back().front() = rows.back()[2] = rows.back().back() = {};
  }
  return rows;
}

std::string line_of(const row& cells, const std::array<std::size_t, 10>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i + 1 == cells.size()) return line + cells[i];
    const std::size_t used = width_of(cells[i]);
    const std::string space(used < widths[i] ? widths[i] - used : 0, ' ');
    line += (is_number(i) ? space + cells[i] : cells[i] + space) + "  ";
  }
  return line;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

const char* colour_of(conclusion c) {
  switch (status_of(c)) {
    case exit_status::as_expected: return "32";
    case exit_status::inconclusive: return "33";
    default: return "31";
  }
}

// Says why a row is not simply "agrees" or "confirmed"; empty if its name says it all.
std::string remark(const comparison& c) {
  switch (c.end) {
    case conclusion::contradicts:
      return "the model, explored to the end, does not have what was seen";
    case conclusion::as_smaller:
      return "too large for the model; in the scenario's own grid it says ok";
    case conclusion::no_prediction:
      return "the model was not explored to the end: " +
             (c.model.stopped.empty() ? "stopped early" : c.model.stopped.text);
    case conclusion::allowed:
      return fmt::format(
          "undefined behaviour in CUDA ({}): any outcome is allowed",
          joined(names_of(static_cast<verdict_set>(c.expected.violations & undefined_violations))));
    case conclusion::not_seen: return "predicted, but no launch took such a schedule";
    case conclusion::no_result: return "no launch came to an end of its own";
    case conclusion::agrees:
    case conclusion::confirmed: break;
  }
  return {};
}

// Says if only one order of arms shows what the model predicts.
std::string arms_remark(const comparison& c) {
  std::vector<std::string_view> orders;
  for (const arm_trials& each : c.by_arms) {
    if (each.seen.counts[trial_outcome::hang] != 0) orders.push_back(name(each.arms));
  }
  if (orders.size() != 1) return {};
  return fmt::format("hangs with the arms of branches {} only", orders.front());
}

std::string summary(const hardware_results& results) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < conclusion_names.size(); ++i) {
    const auto n =
        std::ranges::count(results.compared, static_cast<conclusion>(i), &comparison::end);
    if (n != 0) parts.push_back(std::to_string(n) + " " + std::string(conclusion_names[i]));
  }
  if (results.refused != 0) parts.push_back(fmt::format("{} could not be run", results.refused));
  if (results.interrupted) parts.emplace_back("interrupted, the rest was not run");
  std::string text = counted(results.compared.size(), "run", "runs") + " compared";
  if (!parts.empty()) text += ": " + joined(parts);
  if (!results.skipped.empty())
    text += fmt::format("; {} skipped", counted(results.skipped.size(), "run", "runs"));
  return text + "\n";
}

json counts_of(const trial_counts& counts) {
  json j = json::object();
  for (std::size_t i = 0; i < trial_outcome_names.size(); ++i)
    j[std::string(trial_outcome_names[i])] = counts.of[i];
  return j;
}

json to_json(const comparison& c) {
  json result{{"file", c.file},
              {"scenario", c.subject.title},
              {"subject", c.subject.subject},
              {"fingerprint", c.fingerprint},
              {"reconvergence", reconvergence_name(c.settings)},
              {"grid", grid_name(c.subject.grid)},
              {"scale", c.scale},
              {"memory", "sc"},
              {"progress", "fair"},
              {"verdict", name(c.model.gravest)},
              {"violations", names_of(c.model.found())},
              {"predicted", names_of(c.expected.violations)},
              {"complete", c.model.complete},
              {"states", c.model.states},
              {"trials", counts_of(c.seen.counts)},
              {"messages", c.seen.messages},
              {"histories", c.seen.histories},
              {"longest_seconds", c.seen.longest},
              {"conclusion", name(c.end)},
              {"as_expected", status_of(c.end) == exit_status::as_expected}};
  if (c.by_arms.empty()) return result;
  json by_arms = json::array();
  for (const arm_trials& each : c.by_arms) {
    by_arms.push_back({{"arms", name(each.arms)}, {"trials", counts_of(each.seen.counts)}});
  }
  result["by_arms"] = std::move(by_arms);
  return result;
}

}  // namespace

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

std::string heading(const hardware_setting& setting) {
  const std::string driver =
      setting.device.driver.empty() ? "" : fmt::format("driver {}, ", setting.device.driver);
  return fmt::format(
      "{} ({}), {}CUDA {}, nvcc {}, {}; up to {} of each run, seed {}, deadline {} s\n\n",
      setting.device.name, setting.device.architecture, driver, setting.device.cuda, setting.nvcc,
      setting.date, counted(setting.trials, "launch", "launches"), setting.seed, setting.deadline);
}

std::string hardware_table(const hardware_results& results, bool colour) {
  std::array<std::size_t, 10> widths{};
  std::string text;
  std::vector<std::vector<row>> rows;
  for (const comparison& c : results.compared) rows.push_back(rows_of(c));
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = width_of(head()[i]);
    for (const auto& each : rows) {
      for (const row& line : each) widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  if (!rows.empty()) text += line_of(head(), widths) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string& last = rows[i].front().back();
    if (colour) last = fmt::format("\033[{}m{}\033[0m", colour_of(results.compared[i].end), last);
    for (const row& line : rows[i]) text += trimmed(line_of(line, widths)) + "\n";
  }

  std::string remarks;
  for (const comparison& c : results.compared) {
    const std::string run = fmt::format("{}  {}", c.file, run_text(c));
    const std::string why = remark(c);
    if (!why.empty()) remarks += fmt::format("{}  {}: {}\n", run, name(c.end), why);
    const std::string arms = arms_remark(c);
    if (!arms.empty()) remarks += fmt::format("{}  {}\n", run, arms);
    for (const std::string& message : c.seen.messages)
      remarks += fmt::format("{}  says: {}\n", run, message);
  }
  for (const skipped_run& each : results.skipped) {
    remarks += fmt::format("{}  {}skipped: {}\n", each.file,
                           each.model.empty() ? "" : each.model + "  ", each.reason);
  }
  if (!remarks.empty()) text += (text.empty() ? "" : "\n") + remarks;
  return text + (text.empty() ? "" : "\n") + summary(results);
}

json to_json(const hardware_setting& setting, const hardware_results& results) {
  json compared = json::array();
  for (const comparison& c : results.compared) compared.push_back(to_json(c));
  json skipped = json::array();
  for (const skipped_run& each : results.skipped) {
    skipped.push_back({{"file", each.file},
                       {"scenario", each.title},
                       {"model", each.model.empty() ? json() : json(each.model)},
                       {"reason", each.reason}});
  }
  json document = gpu_document(setting.device, setting.nvcc, setting.date);
  document.update(json{{"trials", setting.trials},
                       {"seed", setting.seed},
                       {"deadline", setting.deadline},
                       {"results", std::move(compared)},
                       {"skipped", std::move(skipped)},
                       {"interrupted", results.interrupted}});
  return document;
}

}  // namespace warpcheck
