// Reads what the program printed, and writes its times as the paper's table.
#include "checker/measure/measured_accesses.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

#include "checker/report/formats/json_report.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

std::string row_of(const measured_access& one) {
  return fmt::format("{} {}{}", one.contended ? "contended" : "uncontended", one.kind,
                     one.after_atomic ? " after an atomic" : "");
}

std::string cell(const measured_access& one) {
  const auto times = spread_of(one.seconds);
  return times ? fmt::format("{:.3f}", times->median * 1e3) : "wrong";
}

}  // namespace

void read_accesses(const std::string& printed, measured_accesses& result) {
  try {
    const json line = json::parse(printed);
    result.blocks = line.at("blocks").get<std::uint64_t>();
    for (const json& each : line.at("results")) {
      result.all.push_back(
          {each.at("access").get<std::string>(), each.at("kind").get<std::string>(),
           each.at("contended").get<bool>(), each.at("after_atomic").get<bool>(),
           each.at("times").get<std::vector<double>>(), each.at("message").get<std::string>()});
    }
  } catch (const json::exception&) {
    throw std::runtime_error(printed.empty() ? "the program said nothing" : printed);
  }
}

std::string access_table(const measured_accesses& measured) {
  const measurement_setting& setting = measured.setting;
  std::string text = gpu_line(setting.device, setting.nvcc, setting.date);
  text += fmt::format("{} accesses of each of {}; milliseconds, median of {}\n\n",
                      grouped(setting.operations), counted(measured.blocks, "block", "blocks"),
                      counted(setting.trials, "launch", "launches"));
  text += fmt::format("{:<40}{:>10}{:>10}\n", "", "reads", "writes");
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> rows;
  for (const measured_access& one : measured.all) {
    const std::string name = row_of(one);
    if (rows.empty() || rows.back().first != name) rows.push_back({name, {}});
    (one.access == "read" ? rows.back().second.first : rows.back().second.second) = cell(one);
  }
  for (const auto& [name, cells] : rows) {
    text += fmt::format("{:<40}{:>10}{:>10}\n", name, cells.first, cells.second);
  }
  for (const measured_access& one : measured.all) {
    if (!one.message.empty())
      text += fmt::format("{}, {}: {}\n", row_of(one), one.access, one.message);
  }
  return text;
}

std::string to_csv(const measured_accesses& measured) {
  std::string text =
      "access,kind,contended,after_atomic,blocks,accesses,launches,least,lower_quartile,median,"
      "upper_quartile,most\n";
  for (const measured_access& one : measured.all) {
    text +=
        fmt::format("{},{},{},{},{},{},{}", one.access, one.kind, one.contended, one.after_atomic,
                    measured.blocks, measured.setting.operations, one.seconds.size());
    const auto times = spread_of(one.seconds);
    text += times ? fmt::format(",{:.9f},{:.9f},{:.9f},{:.9f},{:.9f}\n", times->least, times->low,
                                times->median, times->high, times->most)
                  : ",,,,,\n";
  }
  return text;
}

json to_json(const measured_accesses& measured) {
  const measurement_setting& setting = measured.setting;
  json results = json::array();
  for (const measured_access& one : measured.all) {
    const auto times = spread_of(one.seconds);
    results.push_back({{"access", one.access},
                       {"kind", one.kind},
                       {"contended", one.contended},
                       {"after_atomic", one.after_atomic},
                       {"message", one.message},
                       {"least", times ? json(times->least) : json()},
                       {"lower_quartile", times ? json(times->low) : json()},
                       {"median", times ? json(times->median) : json()},
                       {"upper_quartile", times ? json(times->high) : json()},
                       {"most", times ? json(times->most) : json()},
                       {"seconds", one.seconds}});
  }
  json document = gpu_document(setting.device, setting.nvcc, setting.date);
  document.update(json{{"benchmark", "accesses"},
                       {"blocks", measured.blocks},
                       {"accesses", setting.operations},
                       {"trials", setting.trials},
                       {"results", std::move(results)}});
  return document;
}

}  // namespace warpcheck
