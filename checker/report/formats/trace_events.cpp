// Writes the rows of a counterexample's table as events in time.
#include "checker/report/formats/trace_events.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

json place_of(std::uint32_t lane, const simt::grid_shape& grid) {
  return {{"pid", lane / grid.block_threads()}, {"tid", lane}};
}

json named(std::string_view what, json place, const std::string& name) {
  place["ph"] = "M";
  place["name"] = what;
  place["args"] = {{"name", name}};
  return place;
}

bool acts(const trace_step& step, std::uint32_t lane) {
  return std::ranges::find(step.actions, lane, &lane_action::lane) != step.actions.end();
}

}  // namespace

json trace_events(const shown_violation& shown, const simt::grid_shape& grid) {
  json events = json::array();
  for (std::uint32_t lane = 0; lane < grid.threads(); ++lane) {
    if (lane % grid.block_threads() == 0) {
      const std::uint32_t block = lane / grid.block_threads();
      events.push_back(named("process_name", {{"pid", block}}, fmt::format("block {}", block)));
    }
    events.push_back(named("thread_name", place_of(lane, grid), simt::lane_name(lane, grid)));
  }
  // The time at which each move begins. A move between steps has the time of the next step.
  std::vector<std::uint32_t> times;
  std::uint32_t time = 0;
  for (const trace_step& step : shown.how.steps) {
    times.push_back(time);
    if (step.by.is_step()) ++time;
  }
  for (const table_row& row : shown.table.rows) {
    const bool is_step = row.first != 0;
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      if (row.cells[column].empty()) continue;
      for (const std::uint32_t lane : shown.table.columns[column]) {
        for (const std::uint32_t move : row.moves) {
          if (is_step && !acts(shown.how.steps[move], lane)) continue;
          json event = place_of(lane, grid);
          event["name"] = row.cells[column];
          event["ph"] = is_step ? "X" : "i";
          event["ts"] = times[move];
          if (is_step) {
            event["dur"] = 1;
          } else {
            event["s"] = "t";
            if (shown.how.steps[move].by.is_step()) event["ts"] = times[move] + 1;
          }
          event["args"] = json::object();
          if (is_step) event["args"]["step"] = shown.how.steps[move].number;
          if (!row.memory.empty())
            event["args"]["memory"] = fmt::format("{}", fmt::join(row.memory, ", "));
          if (!row.source.empty()) event["args"]["source"] = row.source;
          if (row.in_cycle) event["cat"] = "cycle";
          events.push_back(std::move(event));
        }
      }
    }
  }
  return {{"traceEvents", std::move(events)},
          {"displayTimeUnit", "ns"},
          {"otherData",
           {{"verdict", name(shown.what.kind)},
            {"why", fmt::format("{}", fmt::join(shown.why, " "))}}}};
}

}  // namespace warpcheck
