#include "checker/commands/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "checker/commands/line_plot.hpp"
#include "checker/report/describe.hpp"
#include "checker/report/json_report.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

bool is_baseline(const measurement& m) { return m.blocks == 1 && m.threads == 1; }

std::string padded(const std::string& text, std::size_t width) {
  return fmt::format("{:>{}}", text, width);
}

}  // namespace

std::optional<spread> spread_of(const measurement& one) {
  if (one.seconds.empty()) return std::nullopt;
  std::vector<double> sorted = one.seconds;
  std::ranges::sort(sorted);
  return spread{sorted.front(), quantile(sorted, 0.25), quantile(sorted, 0.5),
                quantile(sorted, 0.75), sorted.back()};
}

measurement read_measurement(measurement which, const std::string& printed, int status) {
  const json line = json::parse(printed, nullptr, false);
  if (status == 0 && line.is_object() && line.contains("outcome") && line["outcome"].is_string()) {
    const auto outcome = trial_outcome_named(line["outcome"].get<std::string>());
    try {
      if (outcome) {
        which.message = line.value("message", "");
        which.outcome = *outcome;
        // The first launch has much to load.
        const auto times = line.at("times").get<std::vector<double>>();
        if (*outcome == trial_outcome::finished && times.size() > 1) {
          which.seconds.assign(times.begin() + 1, times.end());
        }
        return which;
      }
    } catch (const json::exception&) {
      which.outcome = trial_outcome::no_result;
    }
  }
  which.message = printed.empty()
                      ? fmt::format("the runner ended with status {} and said nothing", status)
                      : printed;
  while (which.message.ends_with('\n')) which.message.pop_back();
  return which;
}

std::string measurement_table(const measurement_setting& setting,
                              const std::vector<measurement>& all) {
  const std::string driver =
      setting.device.driver.empty() ? "" : fmt::format("driver {}, ", setting.device.driver);
  std::string text = fmt::format(
      "{} ({}), {}CUDA {}, nvcc {}, {}\n{} increments under a lock; milliseconds, median of {}, by "
      "threads per block\n\n",
      setting.device.name, setting.device.architecture, driver, setting.device.cuda, setting.nvcc,
      setting.date, grouped(setting.increments), counted(setting.trials, "launch", "launches"));
  std::set<std::uint64_t> columns;
  std::vector<std::pair<std::string, std::uint64_t>> rows;  // subject, blocks
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::string> cells;
  std::size_t width = std::string("subject").size();
  for (const measurement& m : all) {
    columns.insert(m.threads);
    if (std::ranges::find(rows, std::pair(m.subject, m.blocks)) == rows.end()) {
      rows.emplace_back(m.subject, m.blocks);
    }
    const auto times = spread_of(m);
    cells[{m.subject, m.blocks, m.threads}] =
        times ? fmt::format("{:.3f}", times->median * 1e3) : std::string(name(m.outcome));
    width = std::max(width, m.subject.size());
  }
  text += fmt::format("{:<{}}  blocks", "subject", width);
  for (const std::uint64_t threads : columns) text += padded(std::to_string(threads), 14);
  for (const auto& [subject, blocks] : rows) {
    text += fmt::format("\n{:<{}}  {:>6}", subject, width, blocks);
    for (const std::uint64_t threads : columns) {
      const auto cell = cells.find({subject, blocks, threads});
      text += padded(cell == cells.end() ? "" : cell->second, 14);
    }
  }
  text += "\n";
  std::set<std::string> messages;
  for (const measurement& m : all) {
    if (m.outcome == trial_outcome::finished || m.message.empty()) continue;
    if (messages.insert(m.subject + m.message).second) {
      text += fmt::format("{}, {} × {}: {}\n", m.subject, m.blocks, m.threads, m.message);
    }
  }
  return text;
}

std::string to_csv(const std::vector<measurement>& all) {
  std::string text =
      "subject,blocks,threads,repeat,outcome,launches,least,lower_quartile,median,upper_quartile,"
      "most\n";
  for (const measurement& m : all) {
    text += fmt::format("{},{},{},{},{},{}", m.subject, m.blocks, m.threads, m.repeat,
                        name(m.outcome), m.seconds.size());
    const auto times = spread_of(m);
    if (times) {
      text += fmt::format(",{:.9f},{:.9f},{:.9f},{:.9f},{:.9f}\n", times->least, times->low,
                          times->median, times->high, times->most);
    } else {
      text += ",,,,,\n";
    }
  }
  return text;
}

json to_json(const measurement_setting& setting, const std::vector<measurement>& all) {
  json results = json::array();
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    results.push_back({{"subject", m.subject},
                       {"blocks", m.blocks},
                       {"threads", m.threads},
                       {"repeat", m.repeat},
                       {"outcome", name(m.outcome)},
                       {"message", m.message},
                       {"median", times ? json(times->median) : json()},
                       {"seconds", m.seconds}});
  }
  return {{"version", json_version},
          {"gpu", setting.device.name},
          {"architecture", setting.device.architecture},
          {"driver", setting.device.driver.empty() ? json() : json(setting.device.driver)},
          {"cuda", setting.device.cuda},
          {"nvcc", setting.nvcc},
          {"date", setting.date},
          {"benchmark", "counter"},
          {"increments", setting.increments},
          {"trials", setting.trials},
          {"results", std::move(results)}};
}

std::string measurement_plot(const measurement_setting& setting,
                             const std::vector<measurement>& all, const std::string& subject) {
  line_plot plot;
  plot.title = fmt::format("{}: {} increments, {}", subject, grouped(setting.increments),
                           setting.device.name);
  plot.x_axis = "threads per block";
  plot.y_axis = "milliseconds";
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    if (m.subject != subject || !times) continue;
    if (is_baseline(m)) {
      plot.levels.emplace_back("one thread", times->median * 1e3);
      continue;
    }
    const std::string name = counted(m.blocks, "block", "blocks");
    auto line = std::ranges::find(plot.lines, name, &plotted_line::name);
    if (line == plot.lines.end()) {
      plot.lines.push_back({name, {}});
      line = std::prev(plot.lines.end());
    }
    line->points.push_back(
        {static_cast<double>(m.threads), times->low * 1e3, times->median * 1e3, times->high * 1e3});
  }
  for (plotted_line& line : plot.lines) std::ranges::sort(line.points, {}, &plotted_line::point::x);
  return to_svg(plot);
}

}  // namespace warpcheck
