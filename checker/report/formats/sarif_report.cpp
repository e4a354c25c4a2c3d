// Makes results, places and code flows of SARIF, with paths as URIs.
#include "checker/report/formats/sarif_report.hpp"

#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_steps_of_flow = 500;

/// Returns a path as a reference (RFC 3986), or an absolute path as a URI.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

json location_of(const std::string& file, std::uint32_t line) {
  json artifact{{"uri", uri_of(file)}};
  if (!file.starts_with('/')) artifact["uriBaseId"] = "%SRCROOT%";
  json place{{"artifactLocation", std::move(artifact)}};
  if (line != 0) place["region"] = {{"startLine", line}};
  return {{"physicalLocation", std::move(place)}};
}

/// Returns the last steps that lie in the user's files.
json flow_of(const shown_violation& shown, const simt::grid_shape& grid, const checkout& where) {
  json steps = json::array();
  for (const trace_step& step : shown.how.steps) {
    for (const lane_action& a : step.actions) {
      if (!where.has_users(a.at.path)) continue;
      json at = location_of(where.name_of(a.at.path), a.at.line);
      at["message"] = {
          {"text", fmt::format("step {}: {} {}{}{}", step.number, simt::lane_name(a.lane, grid),
                               operation_name(a), a.variable.empty() ? "" : " ", a.variable)}};
      steps.push_back({{"location", std::move(at)}, {"executionOrder", step.number}});
    }
  }
  if (steps.size() > most_steps_of_flow) {
    steps.erase(steps.begin(), steps.end() - most_steps_of_flow);
  }
  return steps;
}

json rule_of(verdict kind) {
  const std::string_view id = name(kind);
  std::string text = fmt::format("A run has the verdict {}, which was not expected.", id);
  return {{"id", id},
          {"shortDescription", {{"text", std::move(text)}}},
          {"help", {{"text", "docs/reports.md of warpcheck explains each verdict."}}}};
}

}  // namespace

json sarif_result(const run_report& report, const checkout& where) {
  const annotation what = annotate(report, where);
  const shown_violation* shown = unexpected_violation(report);
  const verdict kind = shown != nullptr ? shown->what.kind : report.result.gravest;
  json result{{"ruleId", name(kind)},
              {"ruleIndex", static_cast<std::size_t>(kind)},
              {"level", report.inconclusive ? "warning" : "error"},
              {"message", {{"text", what.title + "\n" + what.message}}},
              {"locations", json::array({location_of(what.file, what.line)})},
              {"partialFingerprints",
               {{"run/v1", fmt::format("{} {} {}", where.name_of(report.subject.file),
                                       report.settings.name, name(kind))}}}};
  if (shown == nullptr) return result;
  json steps = flow_of(*shown, report.subject.grid, where);
  if (steps.empty()) return result;
  json thread = json::array({json{{"locations", std::move(steps)}}});
  result["codeFlows"] = json::array({json{{"threadFlows", std::move(thread)}}});
  return result;
}

json sarif_document(const json& results, const std::vector<std::string>& refused,
                    const std::string& version) {
  json rules = json::array();
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    rules.push_back(rule_of(static_cast<verdict>(i)));
  }
  json invocation{{"executionSuccessful", refused.empty()}};
  for (const std::string& message : refused) {
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", message}}}});
  }
  json run{
      {"tool",
       {{"driver", {{"name", "warpcheck"}, {"version", version}, {"rules", std::move(rules)}}}}},
      {"invocations", json::array({std::move(invocation)})},
      {"columnKind", "unicodeCodePoints"},
      {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({std::move(run)})}};
}

}  // namespace warpcheck
