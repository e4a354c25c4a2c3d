// Reads what runners print, and writes measurements as tables.
#include "checker/measure/measurement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "checker/console/outcome.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string what_was_measured(const measurement_setting& setting) {
  const std::string operations = grouped(setting.operations);
  const std::string trials = counted(setting.trials, "launch", "launches");
  switch (setting.what) {
    case benchmark::counter:
      return fmt::format(
          "{} increments under a lock; milliseconds, median of {}, by threads per block",
          operations, trials);
    case benchmark::blocks:
      return fmt::format(
          "{} operations of each block; thousands of operations per second, median of {}, by "
          "blocks",
          operations, trials);
    case benchmark::table:
      return fmt::format("{} pairs put into a hash table; milliseconds, median of {}, by buckets",
                         operations, trials);
    case benchmark::list:
      return fmt::format(
          "{} pairs put into a sorted list; milliseconds, median of {}, by entry points",
          operations, trials);
    case benchmark::sorting:
      return fmt::format("keys sorted; milliseconds, median of {}, by keys", trials);
    case benchmark::sets:
      return fmt::format("{} operations on sets; milliseconds, median of {}, by different keys",
                         operations, trials);
    case benchmark::queues:
      return fmt::format("operations on queues; milliseconds, median of {}, by operations", trials);
    case benchmark::graphs:
      return fmt::format("breadth-first search; milliseconds, median of {}, by vertices", trials);
    case benchmark::octree:
      return fmt::format("particles sorted into octrees; milliseconds, median of {}, by blocks",
                         trials);
    case benchmark::stm:
      return fmt::format(
          "{} operations of each block by transactions; thousands of operations per second, median "
          "of {}, by blocks",
          operations, trials);
    case benchmark::deques:
      return fmt::format(
          "{} tasks of each block in deques; thousands of tasks per second, median of {}, by "
          "blocks",
          operations, trials);
    case benchmark::move:
      return fmt::format(
          "{} operations of each block on two containers; thousands of operations per second, a "
          "move counted as two, median of {}, by blocks",
          operations, trials);
    case benchmark::sums:
      return fmt::format(
          "the counts of a block added up {} times; milliseconds, median of {}, by threads",
          operations, trials);
    case benchmark::priority_queues:
      return fmt::format(
          "{} operations on priority queues; milliseconds, median of {}, by different keys",
          operations, trials);
    case benchmark::work_items:
      return fmt::format(
          "{} increments under a lock, of work items; milliseconds, median of {}, by threads",
          operations, trials);
  }
  return "";
}

/// Names what is counted beside the time, for a table of its own. Empty: there is no such table.
std::string what_is_counted(benchmark what) {
  if (what == benchmark::stm) return "attempts that were aborted, of each operation";
  if (what == benchmark::deques) return "the part of the tasks that was stolen";
  if (what == benchmark::move)
    return "operations in a millisecond, of a client that inserts and removes";
  return "";
}

/// The second quantity that some benchmarks vary has a column of its own.
struct second_column {
  std::string name;
  std::string (*of)(const measurement&);
};
second_column second_of(benchmark what) {
  switch (what) {
    case benchmark::counter:
      return {"blocks", [](const measurement& m) { return std::to_string(m.blocks); }};
    case benchmark::list:
      return {"threads", [](const measurement& m) { return std::to_string(m.threads); }};
    case benchmark::work_items:
      return {"workload, blocks",
              [](const measurement& m) { return fmt::format("{}, {}", m.workload, m.blocks); }};
    case benchmark::blocks:
    case benchmark::table: return {"", nullptr};
    case benchmark::octree:
      return {"particles, threads", [](const measurement& m) {
                return fmt::format("{} {}, {}", m.keys, m.workload, m.threads);
              }};
    case benchmark::sorting:
      return {"workload", [](const measurement& m) {
                if (m.bitonic_below == 0) return m.workload;
                return fmt::format("{}, {} × {}, {}", m.workload, m.blocks, m.threads,
                                   m.bitonic_below);
              }};
    case benchmark::sets:
    case benchmark::queues:
    case benchmark::graphs:
    case benchmark::stm:
    case benchmark::deques:
    case benchmark::move:
    case benchmark::sums:
    case benchmark::priority_queues: break;
  }
  return {"workload", [](const measurement& m) { return m.workload; }};
}

std::string padded(const std::string& text, std::size_t width) {
  return fmt::format("{:>{}}", text, width);
}

}  // namespace

std::string name(benchmark what) {
  constexpr std::array<const char*, 15> names{
      "counter", "blocks",          "table",     "list", "sorting", "sets",
      "queues",  "graphs",          "octree",    "stm",  "deques",  "move",
      "sums",    "priority_queues", "work_items"};
  return names[static_cast<std::size_t>(what)];
}

std::string gpu_line(const gpu& device, const std::string& nvcc, const std::string& date) {
  const std::string driver = device.driver.empty() ? "" : fmt::format("driver {}, ", device.driver);
  return fmt::format("{} ({}), {}CUDA {}, nvcc {}, {}\n", device.name, device.architecture, driver,
                     device.cuda, nvcc, date);
}

std::optional<spread> spread_of(const measurement& one) { return spread_of(one.seconds); }

std::optional<spread> spread_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return std::nullopt;
  std::vector<double> sorted = seconds;
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
        // The first launch has much to load, so it does not count.
        const auto times = line.at("times").get<std::vector<double>>();
        if (*outcome == trial_outcome::finished && times.size() > 1) {
          which.seconds.assign(times.begin() + 1, times.end());
        }
        if (line.contains("counted") && !line["counted"].is_null())
          which.counted = line["counted"].get<double>();
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

std::uint64_t varied_of(benchmark what, const measurement& one) {
  switch (what) {
    case benchmark::counter:
    case benchmark::sums:
    case benchmark::work_items: return one.threads;
    case benchmark::blocks:
    case benchmark::octree:
    case benchmark::stm:
    case benchmark::deques:
    case benchmark::move: return one.blocks;
    case benchmark::table: return one.buckets;
    case benchmark::list: return one.entry_points;
    case benchmark::sorting:
    case benchmark::sets:
    case benchmark::graphs:
    case benchmark::priority_queues: return one.keys;
    case benchmark::queues: return one.blocks * one.threads * one.repeat;
  }
  return 0;
}

bool is_of_rates(benchmark what) {
  return what == benchmark::blocks || what == benchmark::stm || what == benchmark::deques ||
         what == benchmark::move;
}

std::uint64_t percent_of_movers(const std::string& workload) {
  if (!workload.ends_with("_high") && !workload.ends_with("_low")) return 0;
  const std::size_t last = workload.rfind('_');
  if (last == 0) return 0;
  const std::size_t middle = workload.rfind('_', last - 1);
  if (middle == std::string::npos) return 0;
  std::uint64_t percent = 0;
  const char* const end = workload.data() + last;
  const auto [rest, error] = std::from_chars(workload.data() + middle + 1, end, percent);
  return error == std::errc() && rest == end && percent <= 100 ? percent : 0;
}

double operations_per_second(const measurement& one, double seconds) {
  const std::uint64_t clients = one.workload == "phases" ? 1 : one.blocks;
  // hardware/move.cu has so many clients that move.
  const std::uint64_t movers = one.blocks * percent_of_movers(one.workload) / 100;
  return static_cast<double>((clients + movers) * one.repeat) / seconds;
}

namespace {

/// Returns a row for each subject and each value of the second column, and a column for each value
/// of what is varied.
std::string grid_of_cells(benchmark what, const std::vector<measurement>& all, auto cell_of) {
  const second_column second = second_of(what);
  std::size_t second_width = second.name.size();
  std::size_t width = std::string("subject").size();
  for (const measurement& m : all) {
    width = std::max(width, m.subject.size());
    if (second.of != nullptr) second_width = std::max(second_width, second.of(m).size());
  }
  std::set<std::uint64_t> columns;
  std::vector<std::string> rows;
  std::map<std::pair<std::string, std::uint64_t>, std::string> cells;
  for (const measurement& m : all) {
    const std::uint64_t column = varied_of(what, m);
    std::string row = fmt::format("{:<{}}", m.subject, width);
    if (second.of != nullptr) row += fmt::format("  {:>{}}", second.of(m), second_width);
    columns.insert(column);
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    cells[{row, column}] = cell_of(m);
  }
  std::string text = fmt::format("{:<{}}", "subject", width);
  if (second.of != nullptr) text += fmt::format("  {:>{}}", second.name, second_width);
  for (const std::uint64_t column : columns) text += padded(std::to_string(column), 14);
  for (const std::string& row : rows) {
    text += "\n" + row;
    for (const std::uint64_t column : columns) text += padded(cells[{row, column}], 14);
  }
  return text + "\n";
}

}  // namespace

std::string measurement_table(const measurement_setting& setting,
                              const std::vector<measurement>& all) {
  const bool is_rate = is_of_rates(setting.what);
  std::string text = gpu_line(setting.device, setting.nvcc, setting.date);
  text += what_was_measured(setting) + "\n\n";
  text += grid_of_cells(setting.what, all, [&](const measurement& m) {
    const auto times = spread_of(m);
    if (!times) return std::string(name(m.outcome));
    return is_rate ? fmt::format("{:.1f}", operations_per_second(m, times->median) / 1e3)
                   : fmt::format("{:.3f}", times->median * 1e3);
  });
  if (const std::string counts = what_is_counted(setting.what); !counts.empty()) {
    text += fmt::format("\n{}\n\n", counts);
    text += grid_of_cells(setting.what, all, [](const measurement& m) {
      return m.counted ? fmt::format("{:.3f}", *m.counted) : std::string(name(m.outcome));
    });
  }
  std::set<std::string> messages;
  for (const measurement& m : all) {
    if (m.outcome == trial_outcome::finished || m.message.empty()) continue;
    if (messages.insert(m.subject + m.message).second) {
      text += fmt::format("{}, {} × {}: {}\n", m.subject, m.blocks, m.threads, m.message);
    }
  }
  return text;
}

exit_status status_of(const std::vector<measurement>& all, bool interrupted) {
  exit_status status = interrupted ? exit_status::inconclusive : exit_status::as_expected;
  for (const measurement& m : all) {
    if (m.outcome == trial_outcome::no_result) {
      status = worse(status, exit_status::inconclusive);
    } else if (m.outcome != trial_outcome::finished) {
      status = worse(status, exit_status::not_expected);
    }
  }
  return status;
}

json to_json(const measurement_setting& setting, const std::vector<measurement>& all) {
  constexpr std::array<const char*, 15> counts{
      "increments", "operations", "pairs",      "pairs",      "operations",
      "operations", "operations", "operations", "operations", "operations",
      "operations", "operations", "operations", "operations", "operations"};
  json results = json::array();
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    results.push_back({{"subject", m.subject},
                       {"workload", m.workload},
                       {"blocks", m.blocks},
                       {"threads", m.threads},
                       {"buckets", m.buckets == 0 ? json() : json(m.buckets)},
                       {"entry_points", m.entry_points == 0 ? json() : json(m.entry_points)},
                       {"keys", m.keys == 0 ? json() : json(m.keys)},
                       {"bitonic_below", m.bitonic_below == 0 ? json() : json(m.bitonic_below)},
                       {"repeat", m.repeat},
                       {"outcome", name(m.outcome)},
                       {"message", m.message},
                       {"least", times ? json(times->least) : json()},
                       {"lower_quartile", times ? json(times->low) : json()},
                       {"median", times ? json(times->median) : json()},
                       {"upper_quartile", times ? json(times->high) : json()},
                       {"most", times ? json(times->most) : json()},
                       {"seconds", m.seconds},
                       {"counted", m.counted ? json(*m.counted) : json()}});
  }
  json document = gpu_document(setting.device, setting.nvcc, setting.date);
  document.update(json{{"benchmark", name(setting.what)},
                       {counts[static_cast<std::size_t>(setting.what)], setting.operations},
                       {"trials", setting.trials},
                       {"results", std::move(results)}});
  return document;
}

}  // namespace warpcheck
