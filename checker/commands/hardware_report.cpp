#include "checker/commands/hardware_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "checker/report/describe.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

constexpr int json_version = 1;

std::vector<std::string_view> names_of(verdict_set set) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
  }
  return all;
}

// Not fmt::join, of which GCC 12 warns wherever it is inlined.
template <class Text>
std::string joined(const std::vector<Text>& parts) {
  std::string text;
  for (const Text& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

// All kinds, not the gravest alone: each of them predicts something else.
std::string model_text(const run_result& model) {
  const auto found = names_of(model.found());
  std::string text =
      found.empty() ? std::string(name(model.gravest)) : fmt::format("{}", fmt::join(found, ", "));
  if (!model.complete && !found.empty()) text += ", inconclusive";
  return text;
}

using row = std::array<std::string, 9>;

const row& head() {
  static const row titles{"scenario",     "model (its)",      "finished",
                          "hang",         "check failed",     "assertion",
                          "device error", "not linearizable", "conclusion"};
  return titles;
}

constexpr bool is_number(std::size_t column) { return column >= 2 && column <= 7; }

row row_of(const comparison& c) {
  const auto count = [&](trial_outcome o) {
    return c.seen.counts[o] == 0 ? std::string("·") : std::to_string(c.seen.counts[o]);
  };
  return {c.file,
          model_text(c.model),
          count(trial_outcome::finished),
          count(trial_outcome::hang),
          count(trial_outcome::check_failed),
          count(trial_outcome::assertion),
          count(trial_outcome::device_error),
          count(trial_outcome::wrong_history),
          std::string(name(c.end))};
}

std::string line_of(const row& cells, const std::array<std::size_t, 9>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i + 1 == cells.size()) return line + cells[i];
    const std::size_t used = width_of(cells[i]);
    const std::string space(used < widths[i] ? widths[i] - used : 0, ' ');
    line += (is_number(i) ? space + cells[i] : cells[i] + space) + "  ";
  }
  return line;
}

const char* colour_of(conclusion c) {
  switch (status_of(c)) {
    case exit_status::as_expected: return "32";
    case exit_status::inconclusive: return "33";
    default: return "31";
  }
}

// Why a row is not simply "agrees" or "confirmed"; empty where its name says it all.
std::string remark(const comparison& c) {
  switch (c.end) {
    case conclusion::contradicts:
      return "the model, explored to the end, does not have what was seen";
    case conclusion::no_prediction:
      return "the model was not explored to the end: " +
             (c.model.stopped.empty() ? "stopped early" : c.model.stopped);
    case conclusion::allowed:
      return fmt::format(
          "undefined behaviour in CUDA ({}): any outcome is allowed",
          joined(names_of(static_cast<verdict_set>(c.model.found() & undefined_violations))));
    case conclusion::not_seen: return "predicted, but no launch took such a schedule";
    case conclusion::no_result: return "no launch came to an end of its own";
    case conclusion::agrees:
    case conclusion::confirmed: break;
  }
  return {};
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
  std::string text = counted(results.compared.size(), "scenario", "scenarios") + " compared";
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
  return {{"file", c.file},
          {"scenario", c.subject.title},
          {"subject", c.subject.subject},
          {"reconvergence", "its"},
          {"memory", "sc"},
          {"progress", "fair"},
          {"verdict", name(c.model.gravest)},
          {"violations", names_of(c.model.found())},
          {"complete", c.model.complete},
          {"states", c.model.states},
          {"trials", counts_of(c.seen.counts)},
          {"messages", c.seen.messages},
          {"histories", c.seen.histories},
          {"longest_seconds", c.seen.longest},
          {"conclusion", name(c.end)},
          {"as_expected", status_of(c.end) == exit_status::as_expected}};
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
  return fmt::format("{} ({}), {}CUDA {}, nvcc {}, {}; up to {} of each run, deadline {} s\n\n",
                     setting.device.name, setting.device.architecture, driver, setting.device.cuda,
                     setting.nvcc, setting.date, counted(setting.trials, "trial", "trials"),
                     setting.deadline);
}

std::string hardware_table(const hardware_results& results, bool colour) {
  std::array<std::size_t, 9> widths{};
  std::vector<row> rows;
  for (const comparison& c : results.compared) rows.push_back(row_of(c));
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = width_of(head()[i]);
    for (const row& each : rows) widths[i] = std::max(widths[i], width_of(each[i]));
  }
  std::string text;
  if (!rows.empty()) text += line_of(head(), widths) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string& last = rows[i].back();
    if (colour) last = fmt::format("\033[{}m{}\033[0m", colour_of(results.compared[i].end), last);
    text += line_of(rows[i], widths) + "\n";
  }

  std::string remarks;
  for (const comparison& c : results.compared) {
    const std::string why = remark(c);
    if (!why.empty()) remarks += c.file + "  " + std::string(name(c.end)) + ": " + why + "\n";
    for (const std::string& message : c.seen.messages)
      remarks += fmt::format("{}  says: {}\n", c.file, message);
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
  return {{"version", json_version},
          {"gpu", setting.device.name},
          {"architecture", setting.device.architecture},
          {"driver", setting.device.driver.empty() ? json() : json(setting.device.driver)},
          {"cuda", setting.device.cuda},
          {"nvcc", setting.nvcc},
          {"date", setting.date},
          {"trials", setting.trials},
          {"deadline", setting.deadline},
          {"results", std::move(compared)},
          {"skipped", std::move(skipped)},
          {"interrupted", results.interrupted}};
}

}  // namespace warpcheck
