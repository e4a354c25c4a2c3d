// Chooses the axes, lines and titles of each figure, and writes the figures as files.
#include "checker/measure/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "checker/console/write_whole.hpp"
#include "checker/measure/line_plot.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

/// Returns the title: `what` was measured, and on which GPU, if that is known.
std::string titled(const std::string& what, const measurement_setting& setting) {
  return setting.device.name.empty() ? what : fmt::format("{}, {}", what, setting.device.name);
}

/// Returns the plot to which a measurement belongs. Semaphores have one plot for each initial
/// value, in which their names end (Stuart and Owens, figure 3).
std::string plot_of(const measurement& one) {
  const std::size_t before = one.subject.find_last_not_of("0123456789");
  const bool numbered = before + 1 < one.subject.size() && one.subject[before] == '_';
  if (one.workload != "capacity" || !numbered) return one.workload;
  return one.workload + one.subject.substr(before);
}

/// Returns "queue_stack_high" for "queue_stack_50_high".
std::string containers_of(const std::string& workload) {
  const std::size_t last = workload.rfind('_');
  return workload.substr(0, workload.rfind('_', last - 1)) + workload.substr(last);
}

bool is_baseline(const measurement& m) { return m.blocks == 1 && m.threads == 1; }

plotted_line::point in_milliseconds(std::uint64_t x, const spread& times) {
  return {static_cast<double>(x), times.low * 1e3, times.median * 1e3, times.high * 1e3};
}

/// Adds a point to the line of that name. Without times, the line is broken there.
void add_point(line_plot& plot, const std::string& name, std::uint64_t x,
               const std::optional<spread>& times, auto point_of) {
  auto line = std::ranges::find(plot.lines, name, &plotted_line::name);
  if (line == plot.lines.end()) {
    plot.lines.push_back({name, {}, {}});
    line = std::prev(plot.lines.end());
  }
  if (times) {
    line->points.push_back(point_of(x, *times));
  } else {
    line->gaps.push_back(static_cast<double>(x));
  }
}

std::string sorted_svg(line_plot plot) {
  for (plotted_line& line : plot.lines) std::ranges::sort(line.points, {}, &plotted_line::point::x);
  return to_svg(plot);
}

/// Plots the time of building over `x`, with a line for each subject.
std::string building_plot(line_plot plot, const std::vector<measurement>& all,
                          std::uint64_t measurement::*x, auto wanted) {
  plot.y_axis = "milliseconds";
  for (const measurement& m : all) {
    if (wanted(m)) add_point(plot, m.subject, m.*x, spread_of(m), in_milliseconds);
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
    if (m.subject != subject) continue;
    if (is_baseline(m)) {
      if (times) plot.levels.emplace_back("one thread", times->median * 1e3);
      continue;
    }
    add_point(plot, counted(m.blocks, "block", "blocks"), m.threads, times, in_milliseconds);
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

std::string workload_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                          const std::string& workload) {
  line_plot plot;
  plot.logarithmic = true;
  plot.y_axis = "milliseconds";
  switch (setting.what) {
    case benchmark::sorting:
      plot.title = titled(fmt::format("Keys sorted, {}", workload), setting);
      plot.x_axis = "keys";
      break;
    case benchmark::sets:
      plot.title = titled(fmt::format("Sets, {}", workload), setting);
      plot.x_axis = "different keys";
      break;
    case benchmark::sums:
      plot.title = titled("Sums of the counts of a block", setting);
      plot.x_axis = "threads";
      break;
    case benchmark::work_items:
      plot.title = titled(fmt::format("Increments of work items, {}, {}", workload,
                                      counted(all.front().blocks, "block", "blocks")),
                          setting);
      plot.x_axis = "threads per block";
      break;
    case benchmark::priority_queues:
      plot.title = titled(fmt::format("Priority queues, {}", workload), setting);
      plot.x_axis = "different keys";
      break;
    case benchmark::graphs:
      plot.title = titled("Breadth-first search in a network like that of roads", setting);
      plot.x_axis = "vertices";
      break;
    default:
      plot.title = titled(fmt::format("Queues, {}", workload), setting);
      plot.x_axis = "operations";
      break;
  }
  for (const measurement& m : all) {
    if (m.workload == workload)
      add_point(plot, m.subject, varied_of(setting.what, m), spread_of(m), in_milliseconds);
  }
  return sorted_svg(std::move(plot));
}

std::string octree_plot_by_blocks(const measurement_setting& setting,
                                  const std::vector<measurement>& all) {
  line_plot plot;
  plot.logarithmic = true;
  plot.title =
      titled(fmt::format("Octree of {} particles, {}, {} threads per block",
                         grouped(all.front().keys), all.front().workload, all.front().threads),
             setting);
  plot.x_axis = "blocks";
  return building_plot(std::move(plot), all, &measurement::blocks,
                       [](const measurement&) { return true; });
}

std::string octree_plot_by_particles(const measurement_setting& setting,
                                     const std::vector<measurement>& all) {
  std::map<std::pair<std::string, std::uint64_t>, measurement> best;
  for (const measurement& m : all) {
    measurement& known = best[{m.subject, m.keys}];
    const auto old_times = spread_of(known), times = spread_of(m);
    if (known.subject.empty() || (times && (!old_times || times->median < old_times->median)))
      known = m;
  }
  std::vector<measurement> shown;
  for (const auto& [which, m] : best) shown.push_back(m);
  line_plot plot;
  plot.logarithmic = true;
  plot.title =
      titled(fmt::format("Octrees, {}, each in its best grid", all.front().workload), setting);
  plot.x_axis = "particles";
  return building_plot(std::move(plot), shown, &measurement::keys,
                       [](const measurement&) { return true; });
}

std::string abort_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                       const std::string& workload) {
  line_plot plot;
  const bool is_stolen = setting.what == benchmark::deques;
  plot.title = titled(
      fmt::format("{}, {}", is_stolen ? "Stolen tasks" : "Aborted attempts", workload), setting);
  plot.x_axis = "blocks";
  plot.y_axis = is_stolen ? "of all tasks" : "of each operation";
  for (const measurement& m : all) {
    if (m.workload != workload) continue;
    const auto times = m.counted ? spread_of(m) : std::nullopt;
    add_point(plot, m.subject, m.blocks, times, [&](std::uint64_t x, const spread&) {
      return plotted_line::point{static_cast<double>(x), *m.counted, *m.counted, *m.counted};
    });
  }
  return sorted_svg(std::move(plot));
}

std::string throughput_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                            const std::string& workload) {
  line_plot plot;
  const std::string title =
      setting.what == benchmark::stm      ? fmt::format("Operations by transactions, {}", workload)
      : setting.what == benchmark::deques ? fmt::format("Tasks of deques, {}", workload)
      : setting.what == benchmark::move
          ? fmt::format("Two containers, {}", workload)
          : fmt::format("{} operations of each block", grouped(setting.operations));
  plot.title = titled(title, setting);
  plot.x_axis = "blocks";
  plot.y_axis = workload == "phases" ? "barriers per second" : "operations per second";
  plot.logarithmic = true;
  for (const measurement& m : all) {
    if (m.workload != workload) continue;
    add_point(plot, m.subject, m.blocks, spread_of(m), [&](std::uint64_t x, const spread& times) {
      return plotted_line::point{static_cast<double>(x), operations_per_second(m, times.high),
                                 operations_per_second(m, times.median),
                                 operations_per_second(m, times.low)};
    });
  }
  return sorted_svg(std::move(plot));
}

std::string plot_by_movers(const measurement_setting& setting, const std::vector<measurement>& all,
                           const std::string& containers, std::uint64_t blocks, bool of_others) {
  line_plot plot;
  plot.title = titled(fmt::format("{}, {}{}", containers, counted(blocks, "client", "clients"),
                                  of_others ? ", one that inserts and removes" : ""),
                      setting);
  plot.x_axis = "percent of the clients that move";
  plot.y_axis =
      of_others ? "operations per second" : "operations per second, a move counted as two";
  plot.logarithmic = false;
  for (const measurement& m : all) {
    if (containers_of(m.workload) != containers || m.blocks != blocks) continue;
    const std::uint64_t percent = percent_of_movers(m.workload);
    if (of_others && percent == 100) continue;
    const auto times = of_others && !m.counted ? std::nullopt : spread_of(m);
    add_point(plot, m.subject, percent, times, [&](std::uint64_t x, const spread& launch) {
      if (of_others) {
        const double rate = *m.counted * 1e3;
        return plotted_line::point{static_cast<double>(x), rate, rate, rate};
      }
      return plotted_line::point{static_cast<double>(x), operations_per_second(m, launch.high),
                                 operations_per_second(m, launch.median),
                                 operations_per_second(m, launch.low)};
    });
  }
  return sorted_svg(std::move(plot));
}

namespace {

/// Returns the plots of `move`. Each workload with several numbers of blocks has a plot over
/// blocks. Each pair of containers and number of blocks has a plot over the clients that move, if
/// there are several numbers of such clients.
std::map<std::string, std::string> move_plots(const measurement_setting& setting,
                                              const std::vector<measurement>& all) {
  std::map<std::string, std::set<std::uint64_t>> blocks;
  std::map<std::pair<std::string, std::uint64_t>, std::set<std::uint64_t>> percents;
  for (const measurement& m : all) {
    blocks[m.workload].insert(m.blocks);
    percents[{containers_of(m.workload), m.blocks}].insert(percent_of_movers(m.workload));
  }
  std::map<std::string, std::string> files;
  for (const auto& [workload, numbers] : blocks) {
    if (numbers.size() > 1)
      files[fmt::format("move_{}.svg", workload)] = throughput_plot(setting, all, workload);
  }
  for (const auto& [which, numbers] : percents) {
    const auto& [containers, clients] = which;
    if (numbers.size() < 3) continue;
    const std::string file = fmt::format("move_{}_{}_blocks", containers, clients);
    files[file + ".svg"] = plot_by_movers(setting, all, containers, clients, false);
    files[file + "_others.svg"] = plot_by_movers(setting, all, containers, clients, true);
  }
  return files;
}

std::map<std::string, std::string> octree_plots(const measurement_setting& setting,
                                                const std::vector<measurement>& all) {
  std::map<std::string, std::vector<measurement>> by_blocks, by_workload;
  std::map<std::string, std::set<std::uint64_t>> particles;
  for (const measurement& m : all) {
    by_blocks[fmt::format("octree_{}_{}_{}_threads.svg", m.workload, m.keys, m.threads)].push_back(
        m);
    by_workload[m.workload].push_back(m);
    particles[m.workload].insert(m.keys);
  }
  std::map<std::string, std::string> files;
  for (const auto& [file, shown] : by_blocks) files[file] = octree_plot_by_blocks(setting, shown);
  for (const auto& [workload, shown] : by_workload) {
    if (particles[workload].size() > 1)
      files[fmt::format("octree_{}.svg", workload)] = octree_plot_by_particles(setting, shown);
  }
  return files;
}

/// Returns all plots by the names of their files.
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
    case benchmark::octree: return octree_plots(setting, all);
    case benchmark::stm:
    case benchmark::deques:
      for (const measurement& m : all) by_plot[m.workload].push_back(m);
      for (const auto& [workload, shown] : by_plot) {
        const std::string file = fmt::format("{}_{}", name(setting.what), workload);
        files[file + ".svg"] = throughput_plot(setting, shown, workload);
        files[file + (setting.what == benchmark::stm ? "_aborts.svg" : "_thefts.svg")] =
            abort_plot(setting, shown, workload);
      }
      break;
    case benchmark::move: return move_plots(setting, all);
    case benchmark::work_items:
      for (const measurement& m : all)
        by_plot[fmt::format("{}_{}_blocks", m.workload, m.blocks)].push_back(m);
      for (const auto& [which, shown] : by_plot)
        files[fmt::format("work_items_{}.svg", which)] =
            workload_plot(setting, shown, shown.front().workload);
      break;
    case benchmark::list:
      for (const measurement& m : all) {
        threads.insert(m.threads);
        entry_points.insert(m.entry_points);
      }
      // Over a quantity with a single value, a plot would have all points above each other.
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
    case benchmark::sorting:
    case benchmark::sets:
    case benchmark::queues:
    case benchmark::graphs:
    case benchmark::sums:
    case benchmark::priority_queues:
      for (const measurement& m : all) by_plot[m.workload].push_back(m);
      for (const auto& [workload, shown] : by_plot)
        files[fmt::format("{}_{}.svg", name(setting.what), workload)] =
            workload_plot(setting, shown, workload);
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
