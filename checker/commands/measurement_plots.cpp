#include "checker/commands/measurement_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/commands/line_plot.hpp"
#include "checker/commands/write_whole.hpp"
#include "checker/report/describe.hpp"

namespace warpcheck {

namespace {

/// `what` was measured, and on which GPU, where that is known.
std::string titled(const std::string& what, const measurement_setting& setting) {
  return setting.device.name.empty() ? what : fmt::format("{}, {}", what, setting.device.name);
}

/// The plot that it belongs to: of semaphores one for each initial value, which their names end in
/// (Stuart and Owens, figure 3).
std::string plot_of(const measurement& one) {
  const std::size_t before = one.subject.find_last_not_of("0123456789");
  const bool numbered = before + 1 < one.subject.size() && one.subject[before] == '_';
  if (one.workload != "capacity" || !numbered) return one.workload;
  return one.workload + one.subject.substr(before);
}

bool is_baseline(const measurement& m) { return m.blocks == 1 && m.threads == 1; }

plotted_line& line_of(line_plot& plot, const std::string& name) {
  const auto line = std::ranges::find(plot.lines, name, &plotted_line::name);
  return line != plot.lines.end() ? *line : plot.lines.emplace_back(plotted_line{name, {}, {}});
}

plotted_line::point in_milliseconds(std::uint64_t x, const spread& times) {
  return {static_cast<double>(x), times.low * 1e3, times.median * 1e3, times.high * 1e3};
}

std::string sorted_svg(line_plot plot) {
  for (plotted_line& line : plot.lines) std::ranges::sort(line.points, {}, &plotted_line::point::x);
  return to_svg(plot);
}

/// Of what was built, the time over `x`, a line for each subject.
std::string building_plot(line_plot plot, const std::vector<measurement>& all,
                          std::uint64_t measurement::*x, auto wanted) {
  plot.y_axis = "milliseconds";
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    if (wanted(m) && times)
      line_of(plot, m.subject).points.push_back(in_milliseconds(m.*x, *times));
  }
  return sorted_svg(std::move(plot));
}

}  // namespace

std::string measurement_plot(const measurement_setting& setting,
                             const std::vector<measurement>& all, const std::string& subject) {
  line_plot plot;
  plot.title =
      titled(fmt::format("{}: {} increments", subject, grouped(setting.operations)), setting);
  plot.x_axis = "threads per block";
  plot.y_axis = "milliseconds";
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    if (m.subject != subject || !times) continue;
    if (is_baseline(m)) {
      plot.levels.emplace_back("one thread", times->median * 1e3);
      continue;
    }
    line_of(plot, counted(m.blocks, "block", "blocks"))
        .points.push_back(in_milliseconds(m.threads, *times));
  }
  return sorted_svg(std::move(plot));
}

std::string table_plot(const measurement_setting& setting, const std::vector<measurement>& all) {
  line_plot plot;
  plot.title =
      titled(fmt::format("{} pairs put into a hash table", grouped(setting.operations)), setting);
  plot.x_axis = "buckets";
  return building_plot(std::move(plot), all, &measurement::buckets,
                       [](const measurement&) { return true; });
}

std::string list_plot_by_entry_points(const measurement_setting& setting,
                                      const std::vector<measurement>& all, std::uint64_t threads) {
  line_plot plot;
  plot.title = titled(fmt::format("{} pairs put into a sorted list, {} threads per block",
                                  grouped(setting.operations), threads),
                      setting);
  plot.x_axis = "entry points";
  plot.logarithmic = true;
  return building_plot(std::move(plot), all, &measurement::entry_points,
                       [&](const measurement& m) { return m.threads == threads; });
}

std::string list_plot_by_threads(const measurement_setting& setting,
                                 const std::vector<measurement>& all, std::uint64_t entry_points) {
  line_plot plot;
  plot.title = titled(fmt::format("{} pairs put into a sorted list, {} entry points",
                                  grouped(setting.operations), entry_points),
                      setting);
  plot.x_axis = "threads per block";
  return building_plot(std::move(plot), all, &measurement::threads,
                       [&](const measurement& m) { return m.entry_points == entry_points; });
}

std::string throughput_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                            const std::string& workload) {
  line_plot plot;
  plot.title =
      titled(fmt::format("{} operations of each block", grouped(setting.operations)), setting);
  plot.x_axis = "blocks";
  plot.y_axis = workload == "phases" ? "barriers per second" : "operations per second";
  plot.logarithmic = true;
  for (const measurement& m : all) {
    const auto times = spread_of(m);
    if (m.workload != workload) continue;
    plotted_line& line = line_of(plot, m.subject);
    const auto blocks = static_cast<double>(m.blocks);
    if (!times) {
      line.gaps.push_back(blocks);
      continue;
    }
    line.points.push_back({blocks, operations_per_second(m, times->high),
                           operations_per_second(m, times->median),
                           operations_per_second(m, times->low)});
  }
  return sorted_svg(std::move(plot));
}

namespace {

/// By the names of their files.
std::map<std::string, std::string> plots_of(const measurement_setting& setting,
                                            const std::vector<measurement>& all) {
  std::map<std::string, std::string> files;
  std::map<std::string, std::vector<measurement>> by_plot;
  std::set<std::uint64_t> threads, entry_points;
  switch (setting.what) {
    case benchmark::counter:
      for (const measurement& m : all) {
        std::string file = m.subject + ".svg";
        std::ranges::replace(file, '/', '_');
        if (!files.contains(file)) files[file] = measurement_plot(setting, all, m.subject);
      }
      break;
    case benchmark::blocks:
      for (const measurement& m : all) by_plot[plot_of(m)].push_back(m);
      for (const auto& [name, shown] : by_plot)
        files[name + ".svg"] = throughput_plot(setting, shown, shown.front().workload);
      break;
    case benchmark::table: files["table.svg"] = table_plot(setting, all); break;
    case benchmark::list:
      for (const measurement& m : all) {
        threads.insert(m.threads);
        entry_points.insert(m.entry_points);
      }
      // A plot over what has one value would be points above each other.
      if (entry_points.size() > 1 || threads.size() == 1) {
        for (const std::uint64_t each : threads)
          files[fmt::format("list_{}_threads.svg", each)] =
              list_plot_by_entry_points(setting, all, each);
      }
      if (threads.size() > 1) {
        for (const std::uint64_t each : entry_points)
          files[fmt::format("list_{}_entry_points.svg", each)] =
              list_plot_by_threads(setting, all, each);
      }
      break;
  }
  return files;
}

}  // namespace

std::vector<std::filesystem::path> write_plots(const std::filesystem::path& folder,
                                               const measurement_setting& setting,
                                               const std::vector<measurement>& all) {
  std::vector<std::filesystem::path> files;
  for (const auto& [name, picture] : plots_of(setting, all)) {
    files.push_back(folder / name);
    write_whole(files.back(), picture, "--svg");
  }
  return files;
}

}  // namespace warpcheck
