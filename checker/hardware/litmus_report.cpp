// Writes outcomes, counts and conclusions as rows, and adds remarks on unusual ones.
#include "checker/hardware/litmus_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "checker/report/formats/json_report.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;
using litmus::gpu::ending;
using litmus::gpu::judged_outcome;

std::string_view standing(const judged_outcome& o, const litmus::answer& model) {
  if (!o.allowed) return model.covered.all && !model.undefined ? "FORBIDDEN" : "not found";
  return o.sequential == false ? "allowed, weak" : "allowed";
}

/// Returns rows of the table: values, counts, and what the model says.
std::vector<std::vector<std::string>> rows_of(const litmus_comparison& c) {
  std::vector<std::vector<std::string>> rows(1);
  for (const litmus::variable& v : c.test.answer.observed) {
    rows[0].push_back(litmus::name(c.test.program, v));
  }
  rows[0].emplace_back("seen");
  for (const judged_outcome& o : c.judged.outcomes) {
    std::vector<std::string> row;
    for (const litmus::value v : o.values) row.push_back(std::to_string(v));
    row.push_back(grouped(o.seen));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string table(const litmus_comparison& c) {
  const auto rows = rows_of(c);
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool marked = r > 0 && c.judged.outcomes[r - 1].satisfies;
    text += marked ? "  *" : "   ";
    for (std::size_t column = 0; column < rows[r].size(); ++column) {
      std::size_t width = 0;
      for (const auto& row : rows) width = std::max(width, row[column].size());
      text += fmt::format("  {:>{}}", rows[r][column], width);
    }
    if (r > 0) text += fmt::format("  {}", standing(c.judged.outcomes[r - 1], c.test.answer));
    text += "\n";
  }
  return text;
}

/// Says why a conclusion is what it is, if the table does not; also what was not complete.
std::string remarks(const litmus_comparison& c) {
  std::string text;
  const auto add = [&](const std::string& line) { text += "    " + line + "\n"; };
  switch (c.seen.end) {
    case ending::finished: break;
    case ending::hang:
      add(fmt::format("a launch did not end{}; the counts are of those before",
                      c.test.answer.terminates == true ? ", although every execution does" : ""));
      break;
    case ending::device_error: add("CUDA reports: " + c.seen.message); break;
    case ending::no_result: add(c.seen.message); break;
  }
  if (c.judged.end == litmus::gpu::conclusion::no_prediction) {
    add("the model's answer is not complete, and does not have all that was seen");
  }
  if (c.seen.incomplete != 0) {
    add(fmt::format("{} incomplete: a thread gave up waiting",
                    counted(c.seen.incomplete, "instance", "instances")));
  }
  return text;
}

json or_null(const std::optional<bool>& b) { return b ? json(*b) : json(); }

json to_json(const litmus_comparison& c) {
  const litmus::answer& model = c.test.answer;
  json outcomes = json::array();
  for (const judged_outcome& o : c.judged.outcomes) {
    json values = json::object();
    for (std::size_t i = 0; i < o.values.size(); ++i) {
      values[litmus::name(c.test.program, model.observed[i])] = o.values[i];
    }
    outcomes.push_back({{"values", std::move(values)},
                        {"seen", o.seen},
                        {"allowed", o.allowed},
                        {"sequential", or_null(o.sequential)},
                        {"satisfies", o.satisfies}});
  }
  return {{"file", c.test.file},
          {"condition", c.test.program.final.text},
          {"holds", or_null(model.holds)},
          {"terminates", or_null(model.terminates)},
          {"complete", model.covered.all && !model.undefined},
          {"outcome", litmus::gpu::ending_names[static_cast<std::size_t>(c.seen.end)]},
          {"message", c.seen.message},
          {"launches", c.seen.launches},
          {"instances", c.seen.instances},
          {"incomplete", c.seen.incomplete},
          {"seconds", c.seen.seconds},
          {"outcomes", std::move(outcomes)},
          {"conclusion", litmus::gpu::name(c.judged.end)},
          {"as_expected", c.judged.end == litmus::gpu::conclusion::agrees}};
}

}  // namespace

std::string heading(const litmus_setting& setting) {
  const std::string driver =
      setting.device.driver.empty() ? "" : fmt::format("driver {}, ", setting.device.driver);
  return fmt::format("{} ({}), {}CUDA {}, nvcc {}, {}; {} instances of each test, seed {}\n\n",
                     setting.device.name, setting.device.architecture, driver, setting.device.cuda,
                     setting.nvcc, setting.date, grouped(setting.instances), setting.seed);
}

std::string headline(const litmus_comparison& one) {
  const auto allowed = std::ranges::count_if(one.judged.outcomes, &judged_outcome::allowed);
  const auto seen = std::ranges::count_if(
      one.judged.outcomes, [](const judged_outcome& o) { return o.allowed && o.seen != 0; });
  return fmt::format("{}  {}  {}: {} of {} allowed outcomes seen in {} instances, {:.1f} s\n",
                     one.test.file, one.test.program.final.text, litmus::gpu::name(one.judged.end),
                     seen, allowed, grouped(one.seen.instances), one.seen.seconds);
}

std::string render(const litmus_comparison& one) {
  return headline(one) + (one.judged.outcomes.empty() ? "" : table(one)) + remarks(one) + "\n";
}

std::string summary(const litmus_hardware_results& results) {
  std::string text;
  for (const skipped_litmus& each : results.skipped) {
    text += fmt::format("{}  skipped: {}\n", each.file, each.reason);
  }
  if (!text.empty()) text += "\n";
  text += counted(results.compared.size(), "test", "tests") + " compared";
  std::string parts;
  for (const auto end :
       {litmus::gpu::conclusion::agrees, litmus::gpu::conclusion::contradicts,
        litmus::gpu::conclusion::no_prediction, litmus::gpu::conclusion::no_result}) {
    const auto n = std::ranges::count_if(
        results.compared, [&](const litmus_comparison& c) { return c.judged.end == end; });
    if (n != 0) parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", n, name(end));
  }
  text += parts;
  std::size_t weak = 0, weak_seen = 0;
  for (const litmus_comparison& c : results.compared) {
    for (const judged_outcome& o : c.judged.outcomes) {
      if (!o.allowed || o.sequential != false) continue;
      ++weak;
      if (o.seen != 0) ++weak_seen;
    }
  }
  if (weak != 0) text += fmt::format("; {} of {} weak outcomes seen", weak_seen, weak);
  if (!results.skipped.empty()) text += fmt::format("; {} skipped", results.skipped.size());
  if (results.interrupted) text += "; interrupted, the rest was not run";
  return text + "\n";
}

json to_json(const litmus_setting& setting, const litmus_hardware_results& results) {
  json compared = json::array(), skipped = json::array();
  for (const litmus_comparison& c : results.compared) compared.push_back(to_json(c));
  for (const skipped_litmus& each : results.skipped) {
    skipped.push_back({{"file", each.file}, {"reason", each.reason}});
  }
  json document = gpu_document(setting.device, setting.nvcc, setting.date);
  document.update(json{{"instances", setting.instances},
                       {"seed", setting.seed},
                       {"time", setting.time},
                       {"results", std::move(compared)},
                       {"skipped", std::move(skipped)},
                       {"interrupted", results.interrupted}});
  return document;
}

}  // namespace warpcheck
